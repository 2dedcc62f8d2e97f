import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeRepository, type TestRepository } from "../../../tests/support/repository.ts";
import { parseIndex } from "./index.ts";

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
    for (let cut = 0; cut < index.length; cut += 7)
      expect(() => parseIndex(index.subarray(0, cut))).not.toThrow();
  });

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
