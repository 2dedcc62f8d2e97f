import { afterAll, describe, expect, it } from "vitest";
import { makeRepository } from "../../../tests/support/repository.ts";
import { requireRepository } from "../../platform/git/index.ts";
import { createCommandRunner } from "../../platform/sandbox/index.ts";
import { discoverChecks } from "./discover/discover.ts";
import { treeFiles } from "./tree.ts";
import { missingNeeds } from "./missing-programs.ts";

const made: { remove(): void }[] = [];
afterAll(() => made.forEach((one) => one.remove()));

async function missingIn(files: Readonly<Record<string, string>>, later: Readonly<Record<string, string>> = {}) {
  const repo = makeRepository(files);
  made.push(repo);
  for (const [path, text] of Object.entries(later)) repo.write(path, text, 0o755);
  const repository = requireRepository(repo.dir);
  const tree = await treeFiles(repository, repo.git("rev-parse", "HEAD^{tree}").trim());
  const { checks } = await discoverChecks(tree);
  const found = await missingNeeds({ repository, runner: createCommandRunner({}) }, tree, checks);
  return Object.fromEntries(checks.map(({ id }, at) => [id, found[at]?.map(({ what }) => what)]));
}

const manifest = (more: object) => JSON.stringify({ name: "x", version: "1.0.0", ...more });

describe("what checks need and the machine does not have", () => {
  it("names a package manager that is not installed, by the lock that asks for it", async () => {
    const found = await missingIn({
      "package.json": manifest({ packageManager: "bun@1.0.0", scripts: { test: "node t.js" } }),
    });
    expect(Object.values(found)).toEqual([[expect.stringMatching(/^bun is not installed$/)]]);
  });

  it("names packages that were never installed, and a program that they would have brought", async () => {
    const files = {
      "package.json": manifest({
        scripts: { test: "xo-not-here" },
        devDependencies: { "xo-not-here": "1.0.0" },
      }),
      ".gitignore": "node_modules\n",
    };
    expect(await missingIn(files)).toEqual({
      "npm:test": ["the packages of package.json are not installed"],
    });
    expect(await missingIn(files, { "node_modules/other/index.js": "" })).toEqual({
      "npm:test": ["xo-not-here is not installed"],
    });
    const there = { "node_modules/.bin/xo-not-here": "#!/bin/sh\n" };
    expect(await missingIn(files, there)).toEqual({ "npm:test": [] });
  });

  it("names nothing for a script of the shell and of programs that are there", async () => {
    const found = await missingIn({
      "package.json": manifest({ scripts: { test: "FOO=1 node t.js && cd . ; sh -c true" } }),
    });
    expect(found).toEqual({ "npm:test": [] });
  });

  it("names a module of Python that is not installed", async () => {
    const found = await missingIn({ "setup.cfg": "[mypy]\n", "pyproject.toml": "[tool.ruff]\n" });
    for (const [id, what] of Object.entries(found))
      for (const line of what ?? [])
        expect(`${id}: ${line}`).toMatch(/^(python:mypy: mypy|ruff:check: ruff) is not installed$/);
    expect(Object.keys(found)).toEqual(["python:mypy", "ruff:check"]);
  });
});
