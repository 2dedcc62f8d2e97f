// Runs that meet at one checkout: each waits for its turn, and is verified on what the others put there.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { ConfiguredCheck } from "../../src/core/contract/index.ts";
import { locateRepository } from "../../src/platform/git/index.ts";
import { tryKernelLock } from "../../src/platform/system/index.ts";
import { cleanUp, fix, git, project, put, quickCheck, start } from "./harness.ts";

afterEach(cleanUp);

const policy = { approvals: "autopilot" as const, checks: [quickCheck], discoverChecks: false };
const someText: ConfiguredCheck = { id: "text", kind: "test", argv: ["sh", "-c", "grep -q . *.txt"] };
const script = { roles: { implementer: [{ edits: [fix] }] } };

/** The turn at the checkout, taken by this test as another process would. */
function takeTurn(dir: string) {
  const folder = join(locateRepository(dir).stateDir, "apply");
  mkdirSync(folder, { recursive: true });
  return tryKernelLock(join(folder, "lock.db"));
}

describe("a run that waits for its turn at the checkout", () => {
  it("[B-1] is verified again when the checkout moves meanwhile, and asks no person for it", async () => {
    const dir = project();
    const run = await start({ dir, policy, script });
    const turn = takeTurn(dir);
    const ended = run.drive();
    await expect.poll(() => run.events("checkout_looked").length).toBe(1);
    put(dir, "README.md", "# Put there by another run\n");
    turn?.release();
    await ended;
    expect(run.state, run.story()).toBe("completed");
    expect(run.events("approval_required")).toEqual([]);
    const [applied] = run.events("patch_applied");
    const { tree } = run.events("validation_evidence_captured").at(-1)?.validation ?? {};
    expect(applied?.integration.tree).toBe(tree);
    expect(git(dir, "show", `${tree}:README.md`)).toBe("# Put there by another run");
    expect(run.events("candidate_rebuilt")).toHaveLength(1);
  });

  it("[B-2] keeps its turn until its last look, and not longer", async () => {
    const dir = project();
    const run = await start({ dir, policy, script });
    const ended = run.drive();
    let seen = 0;
    let taken = 0;
    const watch = async () => {
      while (run.state !== "completed") {
        const turn = run.events("patch_applied").length > 0 ? takeTurn(dir) : undefined;
        const isOver = run.events("checkout_looked").some(({ look }) => look.moment === "last");
        seen += run.events("patch_applied").length;
        taken += turn && !isOver ? 1 : 0;
        turn?.release();
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    };
    await Promise.all([ended, watch()]);
    expect(seen).toBeGreaterThan(0);
    expect(taken).toBe(0);
    const turn = takeTurn(dir);
    expect(turn).toBeDefined();
    turn?.release();
  });

  it("[B-1] [B-2] three at once bring all their work, one after the other, and none of them stops for a person", async () => {
    const dir = project();
    const runs = await Promise.all(
      ["one", "two", "three"].map((name) =>
        start({
          dir,
          policy: { ...policy, checks: [someText] },
          script: {
            roles: { implementer: [{ edits: [{ op: "write", path: `${name}.txt`, text: `${name}\n` }] }] },
          },
        }),
      ),
    );
    await Promise.all(runs.map((run) => run.drive()));
    for (const run of runs) expect(run.state, run.story()).toBe("completed");
    expect(git(dir, "status", "--short", "-uall").split("\n").sort()).toEqual([
      "?? one.txt",
      "?? three.txt",
      "?? two.txt",
    ]);
  });
});
