// A session on disk: it holds no secret of its request, removes nothing outside of itself, and tells no end without its result.
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";
import type { RunRequest } from "../../../core/contract/transport/index.ts";
import { createTextPort } from "../../../runtime/effects/redaction.ts";
import { thisProcess } from "../../../platform/store/index.ts";
import { ResultBuilder } from "../result/draft.ts";
import { finishRun } from "../run/finish.ts";
import { createSession } from "./record.ts";
import { readResult, removeTemporary } from "./read.ts";

const secret = ["ghp", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].join("_");
const { redact } = createTextPort();
const now = () => Date.parse("2026-01-01T00:00:00Z");
let home: string;
beforeEach(() => (home = tempFolder("session-")));

const request = (more: object = {}) =>
  ({
    prompt: "say hello",
    cwd: home,
    engine: "api",
    model: "m",
    slug: null,
    timeoutMs: 1_000,
    files: { keepBundle: false },
    diff: { followupPrompt: null },
    git: { applyMode: "none", commitMessage: null },
    outputs: { diff: null, json: null, metrics: null },
    secrets: { scan: false, sanitize: false },
    ...more,
  }) as unknown as RunRequest;
const open = (given: RunRequest) => createSession({ home, request: given, now, owner: thisProcess(), redact });

describe("[T-23] [S-3] the record of a session", () => {
  it.each([
    ["the prompt", { prompt: `use ${secret}` }],
    ["the follow-up prompt", { diff: { followupPrompt: `again with ${secret}` } }],
    ["the commit message", { git: { applyMode: "commit", commitMessage: `add ${secret}` } }],
    ["the slug", { slug: `a ${secret} b` }],
  ])("holds no secret of %s", (_, given) => {
    const { folder } = open(request(given));
    const stored = readFileSync(folder.session, "utf8");
    expect(stored).not.toContain(secret);
    expect(stored.toLowerCase()).not.toContain(secret.slice(4, 24).toLowerCase());
    expect(folder.dir.toLowerCase()).not.toContain(secret.slice(4, 24).toLowerCase());
  });
});

describe("[T-30] [Z-13] temporary files", () => {
  it("of the session go, and a path outside that its file names stays", () => {
    const { folder } = open(request());
    // Everything that is named is in folders of this test: broken code must not reach further.
    const mine = join(home, "mine.txt");
    const beside = `${folder.dir}-other`;
    const elsewhere = tempFolder("elsewhere-");
    mkdirSync(beside);
    writeFileSync(mine, "mine");
    writeFileSync(join(elsewhere, "x"), "x");
    writeFileSync(join(beside, "x"), "x");
    mkdirSync(folder.temporary);
    writeFileSync(join(folder.temporary, "bundle.zip"), "x");
    removeTemporary(folder, [
      join(folder.temporary, "bundle.zip"),
      mine,
      beside,
      elsewhere,
      join(folder.dir, "..", "..", "mine.txt"),
      `${folder.dir}/../../mine.txt`,
    ]);
    expect(readFileSync(mine, "utf8")).toBe("mine");
    expect(existsSync(join(beside, "x"))).toBe(true);
    expect(existsSync(join(elsewhere, "x"))).toBe(true);
    expect(readdirSync(folder.dir)).toEqual(["session.json"]);
  });
});

describe("[T-8] the end of a session", () => {
  const finish = (broken: boolean) => {
    const live = open(request());
    live.update({ status: "running", stage: "asking" });
    const draft = new ResultBuilder(request(), live.folder, now);
    draft.set({ status: "success" });
    // A folder in the place of the result: it can be neither written nor read.
    if (broken) mkdirSync(join(live.folder.result, "x"), { recursive: true });
    const result = finishRun({
      live,
      request: request(),
      draft,
      outputs: true,
      now,
      log: () => undefined,
      redact,
    });
    return { live, result };
  };

  it("tells success when its result is on the disk", () => {
    const { live } = finish(false);
    expect(live.current.status).toBe("success");
    expect(readResult(live.folder.result)?.status).toBe("success");
  });

  it("does not tell success when its result could not be written", () => {
    const { live, result } = finish(true);
    expect(result.problems).toMatchObject([
      { target: "result", message: expect.stringContaining("result.json") as string },
    ]);
    const stored = JSON.parse(readFileSync(live.folder.session, "utf8")) as { status: string; error: object };
    expect(stored.status).toBe("error");
    expect(stored.error).toMatchObject({ code: "store_full" });
  });
});
