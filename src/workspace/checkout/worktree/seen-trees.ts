// Pins the trees of the checkout that a run saw and names in its log: a later step compares with them, and a `git gc
// --prune=now` of the user removes every object without a ref. One ref for each run, until the run ends.
import { bringIn, inTheOpen, moveOwnRef, type Repository } from "../../../platform/git/index.ts";
import { resolveCommit } from "./describe.ts";
import { commitTree, readBackWorktree } from "./pinned.ts";

const refOf = (runId: string): string => `refs/thehood/seen/${runId}`;

/** `base`: a commit or a tree of which nothing is read back, because the user's own refs lead to it. */
export async function pinSeenTrees(
  where: Repository,
  runId: string,
  trees: readonly string[],
  base: string | undefined,
): Promise<void> {
  let last = await resolveCommit(where, refOf(runId));
  for (const tree of new Set(trees))
    last = await commitTree(where, tree, last === undefined ? [] : [last], `${runId}: a tree of the checkout\n`);
  if (last === undefined) return;
  await bringIn(where, last);
  await moveOwnRef(where, refOf(runId), last);
  // A `git prune` that had read the refs before may have taken it away meanwhile; then it is made again.
  await readBackWorktree(inTheOpen(where), { ref: refOf(runId), commit: last }, base);
}

/** Also a ref that leads to nothing goes away: git would refuse to collect in such a repository. */
export const dropSeenTrees = async (repository: Repository, runId: string): Promise<void> =>
  void (await moveOwnRef(repository, refOf(runId), null));
