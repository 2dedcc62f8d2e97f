// The refs of one run, read from git's files: the same as git lists, in every form that git stores them.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { makeRepository } from "../../../tests/support/repository.ts";
import { requireRepository } from "./index.ts";
import { readOwnRefs } from "./read-own-refs.ts";

const folder = "refs/thehood/keep/run_abc12345";

function scene() {
  const made = makeRepository({ "a.txt": "one\n" });
  onTestFinished(made.remove);
  const tree = made.git("rev-parse", "HEAD^{tree}").trim();
  const commit = (words: string) => made.git("commit-tree", tree, "-m", words).trim();
  const set = (name: string, words: string) => made.git("update-ref", `${folder}/${name}`, commit(words));
  const listed = () =>
    made
      .git("for-each-ref", "--format=%(refname) %(objectname)", `${folder}/`)
      .split("\n")
      .filter((line) => line !== "");
  const read = () => readOwnRefs(requireRepository(made.dir), folder);
  const lines = () => (read() ?? []).map(({ ref, object: id }) => `${ref} ${id}`).toSorted();
  return { git: made.git, dir: made.dir, set, listed, read, lines };
}

it("loose, packed and moved refs are read as git lists them, and those of other runs are not", () => {
  const { git, set, listed, lines } = scene();
  expect(lines()).toEqual([]);
  set("1", "first");
  set("2", "second");
  git("update-ref", "refs/thehood/keep/run_abc123456/1", "HEAD");
  expect(lines()).toHaveLength(2);
  expect(lines()).toEqual(listed());
  git("pack-refs", "--all");
  expect(lines()).toEqual(listed());
  set("2", "moved");
  set("10", "third");
  expect(lines()).toHaveLength(3);
  expect(lines()).toEqual(listed());
  git("update-ref", "-d", `${folder}/1`);
  expect(lines()).toEqual(listed());
});

it("a lock that a killed git left is no ref", () => {
  const { dir, set, listed, lines } = scene();
  set("1", "first");
  writeFileSync(join(dir, ".git", `${folder}/2.lock`), "");
  expect(lines()).toEqual(listed());
});

it("what the files cannot say is left to git: other ids, folders, another form of storage", () => {
  const { dir, set, read } = scene();
  set("1", "first");
  const path = join(dir, ".git", folder, "2");
  writeFileSync(path, "ref: refs/heads/main\n");
  expect(read()).toBeUndefined();
  rmSync(path);
  mkdirSync(path);
  expect(read()).toBeUndefined();
  rmSync(path, { recursive: true });
  expect(read()).toHaveLength(1);
  mkdirSync(join(dir, ".git", "reftable"));
  expect(read()).toBeUndefined();
});
