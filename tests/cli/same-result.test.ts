// A suite that is particular about its surroundings, by itself and under us. The long set does the same with real projects.
import process from "node:process";
import { expect, it, onTestFinished, vi } from "vitest";
import { detectSandbox } from "../../src/platform/sandbox/index.ts";
import { compare } from "../projects/compare.ts";
import { makeRepository } from "../support/repository.ts";
import { tempFolder } from "../support/temp-folder.ts";

/** What real suites stumble over: colours that were switched off, folders with a dot, a missing git folder or package. */
const particular = `import assert from "node:assert";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import test from "node:test";
import { add } from "./add.js";

test("adds", () => assert.equal(add(1, 2), 3));
test("colours are as in the terminal", () => {
  for (const name of ["NO_COLOR", "FORCE_COLOR", "CI"]) assert.equal(process.env[name], undefined, name);
  assert.equal(process.env.TERM, "xterm-256color");
});
test("no folder of the path begins with a dot", () => assert.ok(!/\\/\\./.test(process.cwd())));
test("git and packages are there", () => {
  assert.equal(execFileSync("git", ["log", "-1", "--format=%s"], { encoding: "utf8" }).trim(), "start");
  assert.ok(existsSync("node_modules/dep/index.js"));
});
`;

const sandbox = await detectSandbox({ path: process.env["PATH"] ?? "" });

it.skipIf(sandbox.kind === "none")(
  "[B-10] a suite passes by itself, in checks test, and in a run before and after the work (needs bubblewrap)",
  () => {
    const repository = makeRepository({
      "package.json": JSON.stringify({ name: "x", type: "module", scripts: { test: "node --test" } }),
      ".gitignore": "node_modules\n",
      "add.js": "export const add = (a, b) => a + b;\n",
      "add.test.js": particular,
      "node_modules/dep/index.js": "module.exports = 1;\n",
    });
    onTestFinished(() => repository.remove());
    vi.stubEnv("HOME", tempFolder("home-"));
    onTestFinished(() => void vi.unstubAllEnvs());
    repository.git("commit", "-q", "--amend", "-m", "start");
    const { lines, ...results } = compare(repository.dir);
    const passed = { "npm:test": "passed" };
    expect(results, lines).toEqual({ alone: passed, tested: passed, before: passed, after: passed });
  },
);
