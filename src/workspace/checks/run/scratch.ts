// A throw-away worktree of exactly one git tree, for one check. It holds nobody's work.
import { lstat, mkdir, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { fail } from "../../../contract/index.ts";
import { findRepository, git, type Repository } from "../../git/index.ts";

export interface Scratch {
  readonly dir: string;
  dispose(): Promise<void>;
}

/** A real worktree with its own `.git`, so that tools that honour ignore rules do not see the folder as ignored. */
export async function openScratch(repository: Repository, dir: string, tree: string): Promise<Scratch> {
  if (await lstat(dir).catch(() => undefined))
    fail("conflict", `${dir} already exists.`, {
      remedy: "Another process may be running this check; try again.",
    });
  await mkdir(dirname(dir), { recursive: true, mode: 0o700 });
  const commit = await git(repository, ["commit-tree", "-m", "a tree to check", tree]);
  await git(repository, [
    "worktree",
    "add",
    "--detach",
    "--quiet",
    dir,
    commit.stdout.toString("utf8").trim(),
  ]);
  // Noted now: what runs in the scratch tree may rewrite the pointer.
  const admin = findRepository(dir)?.gitDir;
  return {
    dir,
    async dispose() {
      await rm(dir, { recursive: true, force: true, maxRetries: 3 });
      if (admin?.includes("/worktrees/")) await rm(admin, { recursive: true, force: true });
    },
  };
}
