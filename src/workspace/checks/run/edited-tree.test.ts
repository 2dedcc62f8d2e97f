import { symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeRepository } from "../../../../tests/support/repository.ts";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";
import { requireRepository } from "../../../platform/git/index.ts";
import { createCommandRunner } from "../../../platform/sandbox/index.ts";
import { editedTree } from "./edited-tree.ts";
import { runCheck } from "./run-check.ts";

const runner = createCommandRunner({
  environment: { PATH: `${dirname(process.execPath)}:${process.env["PATH"]}` },
});

function sample(files: Readonly<Record<string, string>> = {}) {
  const repo = makeRepository({ "a.txt": "one\n", "test/a.test.js": "expects 3\n", ...files });
  onTestFinished(() => repo.remove());
  repo.git("add", "-A", "-f");
  const repository = requireRepository(repo.dir);
  const tree = () => repo.git("rev-parse", "HEAD^{tree}").trim();
  const run = async (script: string, more: Partial<Parameters<typeof runCheck>[0]> = {}) => {
    const spec = {
      id: "x:y",
      kind: "other" as const,
      argv: ["sh", "-c", script] as const,
      cwd: "",
      source: "config",
      timeoutMs: 30_000,
    };
    const { command } = await runCheck({
      repository,
      runner,
      scratchRoot: join(repo.dir, ".git/scratch"),
      spec: { ...spec, argv: ["sh", "-c", script] },
      tree: tree(),
      ...more,
    });
    return Buffer.from(command.stdout).toString("utf8").trim();
  };
  return { repo, repository, tree, run };
}

describe("[B-6] a tree that is broken on purpose", () => {
  it("is committed: nothing in it differs from git, and its files have the times of a checkout", async () => {
    const { run } = sample();
    const edits = [{ path: "test/a.test.js", text: "expects 9\n" }];
    const seen = await run("git status --porcelain; git diff HEAD | wc -l; cat test/a.test.js", { edits });
    expect(seen.replaceAll(/\s+/g, " ")).toBe("0 expects 9");
  });

  it("can be shown without history: earlier values of its tests cannot be read", async () => {
    const { run } = sample();
    const edits = [{ path: "test/a.test.js", text: "expects 9\n" }];
    const search = `git log --oneline --all | wc -l; git grep -h expects HEAD; git cat-file --batch-all-objects --batch-check='%(objectname)' | while read id; do git cat-file -p $id | grep -a 'expects 3'; done; true`;
    const alone = await run(search, { edits, alone: true });
    expect(alone.split("\n").map((line) => line.trim())).toEqual(["1", "expects 9"]);
    expect(await run(search, { edits })).toContain("expects 3");
  });

  it("leaves the caches of tools out, which come with the work and can hide a fault", async () => {
    const { repository, tree, run } = sample({
      "lib/__pycache__/a.cpython-311.pyc": "x",
      "tsconfig.tsbuildinfo": "{}",
      ".eslintcache": "[]",
      ".mypy_cache/3.11/a.json": "{}",
    });
    expect(await editedTree(repository, tree(), [])).not.toBe(tree());
    expect(await run("git ls-files | tr '\\n' ' '")).toBe("a.txt test/a.test.js");
  });

  it("edits no link and nothing behind one, and is the same tree without an edit", async () => {
    const { repo, repository, tree } = sample();
    symlinkSync(tempFolder(), join(repo.dir, "out"));
    repo.commit();
    const edits = [
      { path: "out", text: "x" },
      { path: "out/canary", text: "x" },
    ];
    expect(await editedTree(repository, tree(), edits)).toBe(tree());
    expect(await editedTree(repository, tree(), [])).toBe(tree());
  });
});
