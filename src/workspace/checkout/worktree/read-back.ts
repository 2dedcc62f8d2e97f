// Reads back what refs of ours keep, and brings the folders that name it to the disk.
import { join } from "node:path";
import { fail, FailureError } from "../../../core/contract/index.ts";
import { git, type Repository } from "../../../platform/git/index.ts";
import { entryAt, syncFolder } from "../../../platform/system/index.ts";

interface PinnedRefs {
  readonly refs: readonly string[];
  readonly objects: readonly string[];
}

/**
 * Reads what the pin adds to `base`, which is the user's own. Fails when an object is missing or damaged: after a power
 * loss, or when `git prune` ran beside us before there was a ref.
 */
export async function readBack(repository: Repository, pinned: PinnedRefs, base: string | undefined): Promise<void> {
  const ids = await objectsOf(repository, pinned, base);
  // git syncs the files that it writes, and not the folders that name them.
  const shards = ids.map((id) => join(repository.commonDir, "objects", id.slice(0, 2)));
  const folders = pinned.refs.flatMap((ref) =>
    ref.split("/").map((_, at, names) => join(repository.commonDir, ...names.slice(0, at))),
  );
  for (const folder of new Set([...shards, join(repository.commonDir, "objects"), ...folders]))
    if (folder !== repository.commonDir && entryAt(folder)?.isDirectory()) syncFolder(folder);
}

const linesOf = (output: Buffer): string[] =>
  output
    .toString("latin1")
    .split("\n")
    .filter((line) => line !== "");

async function objectsOf(
  repository: Repository,
  { refs, objects }: PinnedRefs,
  base: string | undefined,
): Promise<string[]> {
  try {
    // For a tree it is the tree of the base that counts.
    const without = base === undefined ? [] : ["--not", base, `${base}^{tree}`];
    const args = ["rev-list", "--objects", ...objects, ...without];
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
      message: `Kept work cannot be read back from ${refs[0]}: ${error.failure.message}`,
      remedy: "Nothing was removed. Look at the repository with `git fsck`, then continue.",
    });
  }
}
