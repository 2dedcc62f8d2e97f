import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { gitIn } from "../../../tests/support/repository.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { requireRepository, type Repository } from "../../platform/git/index.ts";
import { treeFiles } from "./tree.ts";
import { guardedTree } from "./guarded-tree.ts";

const dir = tempFolder("guard-");
const run = gitIn(dir);
const write = (path: string, text: string | Uint8Array) => {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), text);
};
const commit = () => {
  run("add", "-A");
  run("commit", "-qm", "x");
  return run("rev-parse", "HEAD^{tree}");
};
const defines = (path: string) => path.startsWith("test/") || path === "package.json" || path.endsWith(".config.js");
let repository: Repository;
let base = "";

beforeAll(() => {
  run("init", "-q");
  write("src/a.js", "1\n");
  write("test/a.test.js", "old\n");
  write("test/gone.test.js", "kept\n");
  write("package.json", "{}\n");
  write("test/caf\u00e9.test.js", "accent\n");
  base = commit();
  repository = requireRepository(dir);
});

describe("a tree judged by the base commit's rules [R-33]", () => {
  it("work that touches no defining file is judged as it is", async () => {
    write("src/a.js", "2\n");
    const work = commit();
    expect(await guardedTree(repository, base, work, defines)).toEqual({ tree: work, restored: [] });
  });

  it("changed rules are put back, deleted ones restored, added ones left out, the work stays", async () => {
    write("src/a.js", "3\n");
    write("src/b.js", "new\n");
    write("test/a.test.js", "weakened\n");
    rmSync(join(dir, "test/gone.test.js"));
    write("test/caf\u00e9.test.js", "changed\n");
    write("vitest.config.js", "export default { passWithNoTests: true }\n");
    write("package.json", '{"scripts":{"test":"true"}}\n');
    const work = commit();
    const guarded = await guardedTree(repository, base, work, defines);
    const files = await treeFiles(repository, guarded.tree);
    expect(files.paths.toSorted()).toEqual(
      [
        "package.json",
        "src/a.js",
        "src/b.js",
        "test/a.test.js",
        "test/caf\u00e9.test.js",
        "test/gone.test.js",
      ].toSorted(),
    );
    expect(await files.read("src/a.js")).toBe("3\n");
    expect(await files.read("test/a.test.js")).toBe("old\n");
    expect(await files.read("test/caf\u00e9.test.js")).toBe("accent\n");
    expect(await files.read("package.json")).toBe("{}\n");
    expect(guarded.restored).toContain("vitest.config.js");
  });

  it("a rule that became a folder comes back as the file it was", async () => {
    rmSync(join(dir, "package.json"));
    write("package.json/index.js", "x\n");
    const work = commit();
    for (const rule of [defines, (path: string) => path.startsWith("package.json")]) {
      const guarded = await guardedTree(repository, base, work, rule);
      expect(await (await treeFiles(repository, guarded.tree)).read("package.json")).toBe("{}\n");
    }
    rmSync(join(dir, "package.json"), { recursive: true });
    write("package.json", "{}\n");
  });

  it("rules come back where the work put a file, or a link, in the place of their folder", async () => {
    rmSync(join(dir, "test"), { recursive: true });
    write("test", "no folder any more\n");
    const guarded = await guardedTree(repository, base, commit(), defines);
    const files = await treeFiles(repository, guarded.tree);
    expect(files.paths).not.toContain("test");
    expect(await files.read("test/a.test.js")).toBe("old\n");
  });

  it("the user's index is not touched", async () => {
    expect(run("status", "--porcelain")).toBe("");
    expect(run("fsck", "--connectivity-only")).not.toContain("missing");
    await Promise.resolve();
  });

  it("reads no text from what is not text", async () => {
    write("blob.bin", new Uint8Array([0, 1, 2]));
    const files = await treeFiles(repository, commit());
    expect(await files.read("blob.bin")).toBeUndefined();
    expect(await files.read("absent")).toBeUndefined();
  });
});
