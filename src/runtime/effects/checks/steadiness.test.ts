// A test that fails now and then, with a real runner: it fails in the runs that the scene names.
import { dirname } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { sceneDeps } from "../../../../tests/support/effect-scene.ts";
import { makeRepository } from "../../../../tests/support/repository.ts";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";
import type { CheckSpec, CommandRunner } from "../../../core/contract/index.ts";
import { requireRepository } from "../../../platform/git/index.ts";
import { createCommandRunner } from "../../../platform/sandbox/index.ts";
import { runOnTree } from "./on-tree.ts";
import { settle } from "./steadiness.ts";

const spec: CheckSpec = {
  id: "npm:test",
  kind: "test",
  argv: ["node", "--test"],
  cwd: "",
  source: "config",
  timeoutMs: 60_000,
};
const tests =
  "import assert from 'node:assert';\nimport test from 'node:test';\nimport { add } from './add.js';\ntest('adds', () => assert.equal(add(1, 2), 3));\ntest('waits', () => assert.notEqual(process.env.FAIL, 'yes'));\n";

/** `fails`: the runs of each tree in which the test `waits` fails, counted from one. */
async function settled(fails: { readonly work: readonly number[]; readonly base: readonly number[] }, add = "b + a") {
  const repo = makeRepository({
    "package.json": '{"type":"module"}',
    "a.test.js": tests,
    "add.js": "export const add = (a, b) => a + b;\n",
  });
  onTestFinished(() => repo.remove());
  const base = repo.git("rev-parse", "HEAD^{tree}").trim();
  repo.write("add.js", `export const add = (a, b) => ${add};\n`);
  repo.commit();
  const work = repo.git("rev-parse", "HEAD^{tree}").trim();
  const PATH = `${dirname(process.execPath)}:${process.env["PATH"]}`;
  const [plain, bad] = [{}, { FAIL: "yes" }].map((more) => createCommandRunner({ environment: { PATH, ...more } }));
  if (!plain || !bad) throw new Error("no runner");
  const count = { work: 0, base: 0 };
  let where: "work" | "base" = "work";
  const runner: CommandRunner = {
    ...plain,
    run(request) {
      if (request.writable.length === 0) return plain.run(request);
      count[where] += 1;
      return (fails[where].includes(count[where]) ? bad : plain).run(request);
    },
  };
  const scratchFolders = [tempFolder("scratch-")];
  const deps = sceneDeps({ repository: requireRepository(repo.dir), commands: runner, scratchFolders });
  const request = (tree: string) => ({
    runId: "run_1",
    spec,
    tree,
    signal: new AbortController().signal,
    // The run that follows says which tree it is on.
    onOutput: (line: string) => void (where = line.includes("on the base commit") ? "base" : "work"),
  });
  where = "base";
  await runOnTree(deps, request(base));
  where = "work";
  const first = await runOnTree(deps, request(work));
  const { ran, unsteady } = await settle(deps, request(work), {}, first, base);
  return { result: ran.result, unsteady, count };
}

describe("[B-6] a check that fails now and then", () => {
  it("is run again: a test that also fails on the base commit says nothing about the work", async () => {
    const { result, unsteady, count } = await settled({ work: [1], base: [3] });
    expect(result).toBe("passed");
    expect(unsteady).toMatchObject({ ran: 3, failed: 1, base: { ran: 3, failed: 1 } });
    expect(unsteady?.tests.join()).toContain("waits");
    expect(count).toEqual({ work: 3, base: 3 });
  });

  it("is a doubt where the base commit never fails", async () => {
    const { result, unsteady } = await settled({ work: [1], base: [] });
    expect(result).toBe("passed");
    expect(unsteady).toMatchObject({ base: { ran: 6, failed: 0 } });
  });

  it("fails where it fails again, and the base commit is not asked", async () => {
    const twice = await settled({ work: [1, 3], base: [] });
    expect(twice).toMatchObject({ result: "failed", unsteady: undefined, count: { work: 3, base: 1 } });
    const broken = await settled({ work: [], base: [] }, "a * b");
    expect(broken).toMatchObject({ result: "failed", unsteady: undefined, count: { work: 2, base: 1 } });
  });
});
