// The end of a run's work: its worktrees retired, or its change undone in the checkout (B-20). Work is pinned first.
import type { EffectContext, EffectOf, EffectOutcome } from "../../../core/contract/index.ts";
import { revertInCheckout } from "../../../workspace/checkout/apply/index.ts";
import { endGitFolderWatch } from "../../../workspace/checkout/git-folder-watch/index.ts";
import {
  dropSeenTrees,
  retireReadings,
  retireWorktree,
  settleBases,
} from "../../../workspace/checkout/worktree/index.ts";
import { sweepScratch } from "../../../workspace/checks/index.ts";
import { type EffectDeps, repositoryOf } from "../deps.ts";
import { scratchRoots } from "../scratch.ts";

export async function retireWorkspace(deps: EffectDeps, context: EffectContext): Promise<EffectOutcome> {
  const { repository, scratchFolders } = deps;
  const { runId } = context;
  await context.fence();
  if (!repository) return { kind: "retire_workspace", keptRefs: [] };
  // If the runtime was killed during a call, the watch over the git folder has not ended yet.
  const touched = endGitFolderWatch(repository, runId);
  if (touched.length > 0)
    context.progress(`put back in the git folder, with a copy kept: ${touched.slice(0, 5).join(", ")}`);
  for (const root of scratchRoots(scratchFolders, repository.top, runId)) sweepScratch(repository, root);
  await retireReadings(repository, runId);
  await dropSeenTrees(repository, runId);
  const { refs, left } = await retireWorktree(repository, runId);
  await settleBases(repository, runId, context.created.baseCommit);
  return { kind: "retire_workspace", keptRefs: refs, ...(left === undefined ? {} : { left }) };
}

/** All or nothing. Refused where it would cost edits of the user. */
export async function undoWork(
  deps: EffectDeps,
  { placed }: EffectOf<"take_out_work">,
  context: EffectContext,
): Promise<EffectOutcome> {
  const { runId } = context;
  const fence = (commit: () => void) => context.fence(commit);
  const undone = await revertInCheckout(repositoryOf(deps), { runId, placed, fence });
  return undone.ok
    ? { kind: "take_out_work", taken: undone.taken }
    : { kind: "take_out_work_blocked", message: undone.message, paths: undone.paths };
}
