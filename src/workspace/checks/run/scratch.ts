// Throw-away copies of exactly one git tree, each for one check. They hold nobody's work, and look like a checkout.
import { promises, rmSync, rmdirSync } from "node:fs";
import { dirname, resolve, sep } from "node:path";
import { systemCode } from "../../../platform/system/index.ts";
import { withGcPaused, bringIn, forgetWorktrees, git, type Repository } from "../../../platform/git/index.ts";
import { ownGitFolder } from "./own-git-folder.ts";

export interface Scratch {
  readonly dir: string;
  dispose(): void;
}

/** A checkout with a git folder of its own, so that tools that honour ignore rules do not see the folder as ignored. */
export async function openScratch(
  repository: Repository,
  dir: string,
  tree: string,
  history: "committed" | "detached" = "committed",
): Promise<Scratch> {
  await withGcPaused(repository, async (where) => {
    const commit = await git(where, ["commit-tree", "-m", "a tree to check", tree]);
    const id = commit.stdout.toString("latin1").trim();
    await bringIn(where, id);
    if (where.aside) drop(repository, dir);
    await promises.mkdir(resolve(dir, ".."), { recursive: true, mode: 0o700 });
    await git(repository, ["worktree", "add", "--detach", "--quiet", dir, id], { timeoutMs: 600_000 });
  });
  await ownGitFolder(repository, dir, tree, history);
  return { dir, dispose: () => drop(repository, dir) };
}

/** Removes the scratch worktrees of a process that is gone. Call it only while no other process runs checks in `root`. */
export function sweepScratch(repository: Repository, root: string): void {
  const below = root + sep;
  forgetWorktrees(repository, (folder) => folder.startsWith(below));
  rmSync(root, { recursive: true, force: true, maxRetries: 3 });
}

function drop(repository: Repository, dir: string): void {
  forgetWorktrees(repository, (folder) => folder === dir);
  rmSync(dir, { recursive: true, force: true, maxRetries: 3 });
  // The run may wait for a person now, and for ever; nothing of it is to lie about outside its repository.
  try {
    rmdirSync(dirname(dir));
  } catch (error) {
    if (systemCode(error) !== "ENOTEMPTY" && systemCode(error) !== "ENOENT") throw error;
  }
}
