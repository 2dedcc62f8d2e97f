import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { plainGit } from "../../../tests/support/repository.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { forgetWorktrees, requireRepository, type Repository } from "./index.ts";

let top: string;
let repository: Repository;
const run = (...args: string[]) => plainGit(top, ...args);

beforeEach(() => {
  top = tempFolder("thehood-linked-");
  run("init", "-q", "-b", "main");
  writeFileSync(join(top, "a.txt"), "a\n");
  run("add", ".");
  run("commit", "-qm", "start");
  repository = requireRepository(top);
});

const notes = () => join(top, ".git", "worktrees");
const listed = () =>
  run("worktree", "list", "--porcelain")
    .match(/^worktree .*/gm)
    ?.map((line) => line.slice("worktree ".length));

describe("forgetting worktrees", () => {
  it("finds one whose folder lost its pointer, and leaves the others alone", () => {
    const ours = join(top, "ours", "one");
    const theirs = join(top, "theirs");
    for (const folder of [ours, theirs]) run("worktree", "add", "-q", "--detach", folder);
    rmSync(join(ours, ".git"));
    rmSync(theirs, { recursive: true });
    forgetWorktrees(repository, (folder) => folder.startsWith(join(top, "ours")));
    expect(listed()).toEqual([top, theirs]);
  });

  it("ends what an earlier attempt left half done", () => {
    const ours = join(top, "ours");
    run("worktree", "add", "-q", "--detach", ours);
    const [note = ""] = readdirSync(notes());
    for (const inside of readdirSync(join(notes(), note)))
      if (inside !== "gitdir") rmSync(join(notes(), note, inside), { recursive: true });
    forgetWorktrees(repository, (folder) => folder === ours);
    expect(existsSync(join(notes(), note))).toBe(false);
  });

  it("leaves out what a git of the user removes at the same moment", () => {
    run("worktree", "add", "-q", "--detach", join(top, "ours"));
    forgetWorktrees(repository, () => {
      rmSync(notes(), { recursive: true });
      return true;
    });
    expect(existsSync(notes())).toBe(false);
    expect(listed()).toEqual([top]);
  });

  it("a repository without any is left as it is", () => {
    forgetWorktrees(repository, () => true);
    expect(existsSync(notes())).toBe(false);
    expect(listed()).toEqual([top]);
  });
});
