import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeRepository, type TestRepository } from "../../../tests/support/repository.ts";
import { parseStaged, someTop } from "./index-file.ts";
import { parseIndex, requireRepository, stagedEntries } from "./index.ts";

let made: TestRepository;
beforeEach(() => {
  made = makeRepository({ "a.txt": "a\n" });
});
afterEach(() => made.remove());

describe("the names in an index", () => {
  it.each([2, 3, 4])("are read in version %d", (version) => {
    made.write("dir/\u65e5 x.txt", "1");
    made.write("dir/longer-name-than-the-others.txt", "2");
    made.git("add", "-A");
    if (version === 3) made.git("update-index", "--skip-worktree", "a.txt");
    else made.git("update-index", "--index-version", String(version));
    const index = readFileSync(join(made.dir, ".git/index"));
    expect(parseIndex(index)?.map((entry) => entry.path)).toEqual([
      "a.txt",
      "dir/longer-name-than-the-others.txt",
      "dir/\u65e5 x.txt",
    ]);
    for (let cut = 0; cut < index.length; cut += 7) expect(() => parseIndex(index.subarray(0, cut))).not.toThrow();
  });

  it.each(["plain", "version 4", "conflict", "shared", "sparse", "intent", "none", "sha256"])(
    "and everything staged is what git says it is (%s)",
    (form) => {
      if (form === "sha256") {
        rmSync(join(made.dir, ".git"), { recursive: true });
        made.git("init", "-q", "--object-format=sha256");
      }
      made.write("dir/\u65e5 x.txt", "1");
      made.write("other/deep/y.txt", "2");
      made.commit();
      if (form === "version 4") made.git("update-index", "--index-version", "4");
      if (form === "shared") {
        made.git("update-index", "--split-index");
        made.write("later.txt", "3");
        made.git("add", "later.txt");
      }
      if (form === "sparse") made.git("sparse-checkout", "set", "--cone", "--sparse-index", "dir");
      if (form === "intent") {
        made.write("later.txt", "3");
        made.git("add", "-N", "later.txt");
      }
      if (form === "none") rmSync(join(made.dir, ".git/index"));
      if (form === "conflict") makeConflict();
      const said = made.git("-c", "core.quotePath=false", "ls-files", "-s").split("\n").filter(Boolean);
      const read = stagedEntries(requireRepository(made.dir));
      expect(read.map(({ mode, id, stage, path }) => `${mode.toString(8)} ${id} ${stage}\t${path}`)).toEqual(said);
      expect(said.length > 0).toBe(form !== "none");
    },
  );

  it.each([2, 4])("give the names at the top, each once, in version %d", (version) => {
    const long = `${"long-".repeat(45)}name`;
    const nested = Array.from({ length: 20 }, () => long).join("/");
    for (const path of ["dir/a", "dir/b/c", "dir.x", "dir-y/z", "z", "zz/z"]) made.write(path, "1");
    made.git("add", "-A");
    // Longer than an entry can say, and than a file system allows.
    made.git("update-index", "--add", "--cacheinfo", `100644,${made.git("rev-parse", "HEAD:a.txt").trim()},${nested}`);
    made.git("update-index", "--index-version", String(version));
    const index = readFileSync(join(made.dir, ".git/index"));
    const seen: string[] = [];
    expect(someTop(index, 20, (top) => !seen.push(top))).toBe(false);
    expect(seen).toEqual(["a.txt", "dir-y", "dir.x", "dir", long, "z", "zz"]);
    expect(someTop(index, 20, (top) => top === "zz")).toBe(true);
    expect(someTop(index, 32, () => false)).toBeUndefined();
    expect(parseIndex(index)?.map(({ path }) => path)).toContain(nested);
  });

  it("are not believed when the file does not end as it should", () => {
    const index = readFileSync(join(made.dir, ".git/index"));
    expect(parseStaged(index, 20)).toHaveLength(1);
    expect(parseStaged(index, 32)).toBeUndefined();
    const headerEntryAndChecksum = 12 + 72 + 20;
    for (let cut = 0; cut < headerEntryAndChecksum; cut++)
      expect(parseStaged(index.subarray(0, cut), 20)).toBeUndefined();
    expect(parseStaged(Buffer.concat([index, Buffer.from("more")]), 20)).toBeUndefined();
  });

  function makeConflict(): void {
    made.git("checkout", "-q", "-b", "side");
    made.write("a.txt", "side\n");
    made.commit();
    made.git("checkout", "-q", "main");
    made.write("a.txt", "main\n");
    made.commit();
    expect(() => made.git("merge", "-q", "side")).toThrow();
  }

  it("come with their modes", () => {
    made.write("run.sh", "x", 0o755);
    made.git("update-index", "--add", "--cacheinfo", `160000,${made.git("rev-parse", "HEAD").trim()},sub`);
    made.git("add", "run.sh");
    expect(parseIndex(readFileSync(join(made.dir, ".git/index")))).toEqual([
      { path: "a.txt", mode: 0o100644 },
      { path: "run.sh", mode: 0o100755 },
      { path: "sub", mode: 0o160000 },
    ]);
  });
});
