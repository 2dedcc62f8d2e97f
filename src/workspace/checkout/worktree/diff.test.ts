import { chmodSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeRepository, type TestRepository } from "../../../../tests/support/repository.ts";
import { git, parseRaw, requireRepository } from "../../../platform/git/index.ts";
import { compareTrees } from "./index.ts";

let made: TestRepository;
beforeEach(() => {
  made = makeRepository();
});
afterEach(() => made.remove());

/** As bytes: some are not UTF-8. */
const names = [
  "a b",
  'q"uote',
  "tab\tx",
  "line\nbreak",
  "\u00ff\u00fe",
  "back\\slash",
  ":000000 100644 0 0 A",
  "-dash",
  "diff --git ",
  "ends in a space ",
];
const put = (name: string, content: string) =>
  writeFileSync(Buffer.from(`${made.dir}/${name}`, "latin1"), content, "latin1");

function twoTrees(): [string, string] {
  for (const name of names) put(name, `one\r\n${name}`);
  for (const name of ["mode", "gone", "becomes a link"]) put(name, "x\n");
  put("binary", "\0\u0001");
  made.commit();
  for (const name of names) put(name, "two\n");
  chmodSync(join(made.dir, "mode"), 0o755);
  rmSync(join(made.dir, "gone"));
  rmSync(join(made.dir, "becomes a link"));
  symlinkSync("nowhere", join(made.dir, "becomes a link"));
  put("binary", "\0\u0001\u0002");
  put("empty", "");
  made.commit();
  const tree = (name: string) => made.git("rev-parse", `${name}^{tree}`).trim();
  return [tree("HEAD~1"), tree("HEAD")];
}

describe("[R-30] the difference between two trees", () => {
  it.each(["sha1", "sha256"])("is what git lists and what git shows, byte for byte (%s)", async (format) => {
    rmSync(join(made.dir, ".git"), { recursive: true });
    made.git("init", "-q", `--object-format=${format}`);
    const [from, to] = twoTrees();
    const repository = requireRepository(made.dir);
    const ask = async (...args: string[]) =>
      (await git(repository, ["diff-tree", "-r", "--no-renames", ...args, from, to])).stdout;
    const { changes, patch } = await compareTrees(repository, from, to);
    expect(changes).toHaveLength(names.length + 5);
    expect(changes).toEqual(parseRaw(await ask("--raw", "-z", "--no-abbrev")));
    expect(patch.equals(await ask("-p", "--binary", "--full-index"))).toBe(true);
  });

  it("is nothing where the trees are the same", async () => {
    const tree = made.git("rev-parse", "HEAD^{tree}").trim();
    const { changes, patch } = await compareTrees(requireRepository(made.dir), tree, tree);
    expect([changes, patch.length]).toEqual([[], 0]);
  });
});
