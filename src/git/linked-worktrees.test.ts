import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { forgetWorktrees, requireRepository, type Repository } from "./index.ts";

let top: string;
let repository: Repository;
const run = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], { cwd: top, encoding: "utf8" });

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "thehood-linked-")));
  run("init", "-q", "-b", "main");
  writeFileSync(join(top, "a.txt"), "a\n");
  run("add", ".");
  run("commit", "-qm", "start");
  repository = requireRepository(top);
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

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

  it("a repository without any is left as it is", () => {
    forgetWorktrees(repository, () => true);
    expect(existsSync(notes())).toBe(false);
    expect(listed()).toEqual([top]);
  });
});
