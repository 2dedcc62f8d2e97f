// A pin counts once it was read back and is on the disk: everything that its ref leads to, and the names of it all.
import { join } from "node:path";
import { FailureError, fail } from "../../../core/contract/index.ts";
import { git, type Repository } from "../../../platform/git/index.ts";
import { entryAt, syncFolder } from "../../../platform/system/index.ts";

interface Named {
  readonly ref: string;
  readonly commit: string;
}

/**
 * Reads what the pin adds to `base`, which is the user's own. Fails when an object is missing or damaged: after a power
 * loss, or when `git prune` ran beside us before there was a ref.
 */
export async function readBackWorktree(
  repository: Repository,
  { ref, commit }: Named,
  base: string | undefined,
): Promise<void> {
  const ids = await objectsOf(repository, { ref, commit }, base);
  // git syncs the files that it writes, and not the folders that name them.
  const shards = new Set(ids.map((id) => join(repository.commonDir, "objects", id.slice(0, 2))));
  const folders = ref.split("/").map((_, at, names) => join(repository.commonDir, ...names.slice(0, at)));
  for (const folder of [...shards, join(repository.commonDir, "objects"), ...folders.slice(1)])
    if (entryAt(folder)?.isDirectory()) syncFolder(folder);
}

const linesOf = (output: Buffer): string[] =>
  output
    .toString("latin1")
    .split("\n")
    .filter((line) => line !== "");

async function objectsOf(
  repository: Repository,
  { ref, commit }: Named,
  base: string | undefined,
): Promise<string[]> {
  try {
    const args = ["rev-list", "--objects", commit, ...(base === undefined ? [] : ["--not", base])];
    const { stdout } = await git(repository, args, { timeoutMs: 600_000 });
    const ids = linesOf(stdout).map((line) => line.split(" ", 1)[0] ?? "");
    const asked = await git(repository, ["cat-file", "--batch-check"], { stdin: `${ids.join("\n")}\n` });
    const bad = linesOf(asked.stdout).find((line) => line.endsWith(" missing"));
    if (bad !== undefined) fail("git_failed", `object ${bad}`);
    return ids;
  } catch (error) {
    if (!(error instanceof FailureError) || error.failure.code !== "git_failed") throw error;
    throw new FailureError({
      code: "git_failed",
      message: `Kept work cannot be read back from ${ref}: ${error.failure.message}`,
      remedy: "Nothing was removed. Look at the repository with `git fsck`, then continue.",
    });
  }
}
