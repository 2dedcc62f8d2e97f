import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { gitIn } from "../../../../tests/support/repository.ts";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";
import type { CheckSpec, CommandRunner } from "../../../core/contract/index.ts";
import { requireRepository, type Repository } from "../../../platform/git/index.ts";
import { createCommandRunner } from "../../../platform/sandbox/index.ts";
import { sceneDeps } from "../../../../tests/support/effect-scene.ts";
import { baselineText, recallBaseline } from "./known-results.ts";
import { runOnTree } from "./on-tree.ts";

const dir = tempFolder("checks-");
const git = gitIn(dir);
const put = (path: string, text: string) => {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), text);
};
const commit = () => {
  git("add", "-A");
  git("commit", "-qm", "x");
  return git("rev-parse", "HEAD^{tree}");
};
const spec: CheckSpec = {
  id: "npm:test",
  kind: "test",
  argv: ["node", "--test"],
  cwd: "",
  source: "config",
  timeoutMs: 60_000,
};
let repository: Repository;
let base = "";
let work = "";

beforeAll(() => {
  git("init", "-q");
  put(".gitignore", "node_modules\n");
  put("package.json", JSON.stringify({ type: "module" }));
  put("node_modules/dep/index.js", "module.exports = 1;\n");
  put("a.test.js", "import test from 'node:test';\ntest('one', () => {});\ntest('two', () => {});\n");
  base = commit();
  put("a.test.js", "import test from 'node:test';\ntest('one', () => {});\n");
  work = commit();
  repository = requireRepository(dir);
});

/** A process of its own: it knows nothing but the kept text. `runs` are the checks that it started. */
function another(more: Readonly<Record<string, string>> = {}) {
  const PATH = `${dirname(process.execPath)}:${process.env["PATH"]}`;
  const real = createCommandRunner({ environment: { PATH, ...more } });
  const runs: string[] = [];
  const runner: CommandRunner = {
    ...real,
    run(request) {
      if (request.writable.length > 0) runs.push(request.argv.join(" "));
      return real.run(request);
    },
  };
  const scratchFolders = [tempFolder("scratch-")];
  const deps = sceneDeps({ root: dir, repository, commands: runner, scratchFolders });
  const { signal } = new AbortController();
  const check = (tree: string, comparedWith?: string) =>
    runOnTree(
      deps,
      { runId: "run_x", spec, tree, signal, onOutput: () => undefined },
      comparedWith === undefined ? {} : { comparedWith },
    );
  return { deps, runs, check };
}

describe("the result of a check on the base commit", () => {
  it("[B-7] is kept for a process that continues the run, and made again where the surroundings are others", async () => {
    const first = another();
    await first.check(base);
    const kept = (await baselineText(first.deps, spec, base)) ?? "";
    expect(JSON.parse(kept)).toMatchObject({ kept: { result: "passed", testsRun: 2 } });

    const second = another();
    await recallBaseline(second.deps, spec, base, kept);
    expect(await second.check(work, base)).toMatchObject({ missingTests: ["a.test.js > two"] });
    expect(second.runs).toHaveLength(1);

    const elsewhere = another({ FLAVOUR: "other" });
    await recallBaseline(elsewhere.deps, spec, base, kept);
    expect(await elsewhere.check(work, base)).toMatchObject({ missingTests: ["a.test.js > two"] });
    expect(elsewhere.runs).toHaveLength(2);

    put("node_modules/other/index.js", "");
    const later = another();
    await recallBaseline(later.deps, spec, base, kept);
    await later.check(work, base);
    expect(later.runs).toHaveLength(2);
  });
});
