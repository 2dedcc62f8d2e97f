// One file of evidence against one change: it counts for exactly the run and the bytes that it names.
import { describe, expect, it } from "vitest";
import { makeCommitted } from "../../../../tests/evidence/committed.ts";
import { requireRepository } from "../../../platform/git/index.ts";
import { changeBetween } from "./change.ts";
import { shelvedEvidence } from "./shelf.ts";
import { judgeEvidence } from "./verify.ts";

describe("[B-14] filed evidence", () => {
  it("counts for its own run and for its own bytes, and for no other", async () => {
    const scene = makeCommitted({ "a.txt": "one\n" });
    const made = await scene.run({ "a.txt": "two\n" });
    const repository = requireRepository(scene.dir);
    const change = await changeBetween(repository, `${made}~1`, made);
    if (!change) throw new Error("no change");
    const [filed] = await shelvedEvidence(repository, change.patchId);
    if (!filed) throw new Error("no evidence");
    const tree = scene.git("rev-parse", `${made}^{tree}`);
    const judged = (runId: string, sha256: string) =>
      judgeEvidence({ ...filed, runId }, { ...change, sha256 }, tree, [scene.key]);
    expect(judged(filed.runId, change.sha256)).toMatchObject({ verdict: "verified", sameTree: true });
    expect(judged("run_other", change.sha256)).toMatchObject({
      verdict: "tampered",
      reason: expect.stringContaining("was filed as that of run_other"),
    });
    expect(judged(filed.runId, "0".repeat(64))).toMatchObject({
      verdict: "unbound",
      reason: expect.stringContaining("white space"),
    });
  });
});
