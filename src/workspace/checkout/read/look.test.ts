import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { plainGit, writeFiles } from "../../../../tests/support/repository.ts";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";
import { requireRepository } from "../../../platform/git/index.ts";
import { gitTreeReader, readShowable, recentPaths, showableFiles } from "./index.ts";
import { canaryFile } from "../../../../tests/support/canary-file.ts";

function folder(files: Record<string, string>): string {
  const dir = tempFolder("look-");
  writeFiles(dir, files);
  return dir;
}
const run = (dir: string, ...args: string[]) => plainGit(dir, ...args).trim();
const files = {
  "lib/a.py": "x = 1\n",
  "README.md": "hello\n",
  ".env": "SECRET=1\n",
  "deep/.env.local": "SECRET=1\n",
  "node_modules/x/index.js": "",
  "logo.png": "",
  ".gitignore": "ignored.txt\n",
  "ignored.txt": "",
  ".thehood/store.db": "",
};

describe("looking at a checkout [R-72]", () => {
  it("[S-8] shows tracked and untracked files of any layout, and none that is secret, ignored, built or binary", async () => {
    const dir = folder(files);
    run(dir, "init", "-q");
    run(dir, "add", "lib");
    const shown = await showableFiles(dir, requireRepository(dir));
    expect(shown.map(({ path }) => path)).toEqual([".gitignore", "README.md", "lib/a.py"]);
  });

  it("works without git too", async () => {
    const dir = folder(files);
    const shown = await showableFiles(dir, undefined);
    expect(shown.map(({ path }) => path)).toEqual([".gitignore", "README.md", "ignored.txt", "lib/a.py"]);
  });

  it("[S-8] a link never leads out and a secret is not read through another name", () => {
    const dir = folder(files);
    symlinkSync(canaryFile().path, join(dir, "notes.txt"));
    symlinkSync(".env", join(dir, "plain.txt"));
    expect(readShowable(dir, "notes.txt")).toBeUndefined();
    expect(readShowable(dir, "plain.txt")).toBeUndefined();
    expect(readShowable(dir, ".env")).toBeUndefined();
    expect(readShowable(dir, "../x")).toBeUndefined();
    expect(readShowable(dir, "lib/a.py")).toBe("x = 1\n");
  });

  it("history gives recent paths, latest first, and nothing where there is none", async () => {
    const dir = folder(files);
    run(dir, "init", "-q");
    expect(await recentPaths(requireRepository(dir))).toEqual([]);
    run(dir, "add", "README.md");
    run(dir, "commit", "-qm", "one");
    run(dir, "add", "lib");
    run(dir, "commit", "-qm", "two");
    expect(await recentPaths(requireRepository(dir))).toEqual(["lib/a.py", "README.md"]);
  });

  it("a git tree can be read as the patch judge wants it", async () => {
    const dir = folder(files);
    run(dir, "init", "-q");
    symlinkSync("README.md", join(dir, "link"));
    run(dir, "add", "lib", "README.md", "link");
    run(dir, "commit", "-qm", "one");
    writeFileSync(join(dir, "README.md"), "changed in the checkout\n");
    const tree = await gitTreeReader(requireRepository(dir), run(dir, "rev-parse", "HEAD^{tree}"));
    expect([tree.kind("lib"), tree.kind("lib/a.py"), tree.kind("link"), tree.kind("no")]).toEqual([
      "directory",
      "file",
      "symlink",
      undefined,
    ]);
    expect(Buffer.from(tree.content("README.md") ?? []).toString()).toBe("hello\n");
    expect([...tree.paths()]).toEqual(["README.md", "lib/a.py", "link"]);
  });

  it("what a patch changes is read in one go, and what is missing fails only its own read", async () => {
    const dir = folder(files);
    run(dir, "init", "-q");
    run(dir, "add", "lib", "README.md");
    run(dir, "commit", "-qm", "one");
    const before = run(dir, "rev-parse", "HEAD^{tree}");
    writeFileSync(join(dir, "README.md"), "changed\n");
    writeFileSync(join(dir, "lib/a.py"), "changed too\n");
    run(dir, "add", "lib", "README.md");
    const after = run(dir, "write-tree");
    const gone = run(dir, "rev-parse", `${before}:lib/a.py`);
    rmSync(join(dir, ".git/objects", gone.slice(0, 2), gone.slice(2)));
    const tree = await gitTreeReader(requireRepository(dir), before, after);
    expect(Buffer.from(tree.content("README.md") ?? []).toString()).toBe("hello\n");
    expect(() => tree.content("lib/a.py")).toThrow(/git cat-file failed/);
  });
});
