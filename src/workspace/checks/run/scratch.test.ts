// A scratch tree: a gc of the user beside the check takes nothing of it away, nothing is left afterwards, and it may be on another disk.
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { makeRepository, plainGit } from "../../../../tests/support/repository.ts";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";
import { requireRepository } from "../../../platform/git/index.ts";
import { openScratch } from "./scratch.ts";

const collect = ["gc", "-q", "--prune=now"];
const edits = [{ path: "a.txt", text: "broken on purpose\n" }];

function scene() {
  const made = makeRepository({ "a.txt": "one\n", "b.txt": "two\n" });
  onTestFinished(made.remove);
  const tree = made.git("rev-parse", "HEAD^{tree}").trim();
  const open = (history: "committed" | "detached" | "alone") =>
    openScratch(requireRepository(made.dir), join(tempFolder("scratch-"), "one"), tree, history, edits);
  const notes = join(made.dir, ".git", "worktrees");
  return { ...made, open, tree, records: () => (existsSync(notes) ? readdirSync(notes) : []) };
}

it.each(["committed", "detached", "alone"] as const)(
  "[B-15] stays readable after a gc until it is disposed (%s)",
  async (history) => {
    const { git, open, tree, records } = scene();
    const scratch = await open(history);
    expect(scratch.tree).not.toBe(tree);
    git(...collect);
    expect(git("show", `${scratch.tree}:a.txt`)).toBe("broken on purpose\n");
    scratch.dispose();
    expect(records()).toEqual([]);
    git(...collect);
    expect(() => git("cat-file", "-e", scratch.tree)).toThrow();
  },
);

/** A disk in memory that every Linux has. */
const memory = "/dev/shm";
const isOther = existsSync(memory) && statSync(memory).dev !== statSync(tmpdir()).dev;

it.skipIf(!isOther).each(["committed", "detached", "alone"] as const)(
  "[B-17] is made of a repository on another disk (needs /dev/shm; %s)",
  async (history) => {
    const { dir, tree } = scene();
    const away = mkdtempSync(join(memory, "thehood-test-"));
    onTestFinished(() => rmSync(away, { recursive: true, force: true }));
    cpSync(dir, join(away, "repo"), { recursive: true });
    const repository = requireRepository(join(away, "repo"));
    const scratch = await openScratch(repository, join(tempFolder("scratch-"), "one"), tree, history, edits);
    expect(plainGit(scratch.dir, "show", "HEAD:a.txt")).toBe("broken on purpose\n");
    expect(plainGit(scratch.dir, "status", "--porcelain")).toBe("");
    scratch.dispose();
  },
);
