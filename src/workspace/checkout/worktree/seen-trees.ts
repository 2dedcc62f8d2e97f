// Pins the trees of the checkout that a run saw and names in its log: a later step compares with them, and a `git gc
// --prune=now` of the user removes every object without a ref. One ref for each run, until the run ends.
import { bringIn, moveOwnRef, type Repository } from "../../../platform/git/index.ts";
import { resolveCommit } from "./describe.ts";
import { commitTree } from "./pinned.ts";

const refOf = (runId: string): string => `refs/thehood/seen/${runId}`;

export async function pinSeenTrees(where: Repository, runId: string, trees: readonly string[]): Promise<void> {
  let last = await resolveCommit(where, refOf(runId));
  for (const tree of new Set(trees))
    last = await commitTree(where, tree, last === undefined ? [] : [last], `${runId}: a tree of the checkout\n`);
  if (last === undefined) return;
  await bringIn(where, last);
  await moveOwnRef(where, refOf(runId), last);
}

export async function dropSeenTrees(repository: Repository, runId: string): Promise<void> {
  if ((await resolveCommit(repository, refOf(runId))) !== undefined) await moveOwnRef(repository, refOf(runId), null);
}
