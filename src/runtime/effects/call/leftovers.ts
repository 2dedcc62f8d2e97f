// What a call leaves behind: the folder of a reading side task, and files of the git folder that were restored.
import type { EffectOf } from "../../../core/contract/index.ts";
import type { Repository } from "../../../platform/git/index.ts";
import { asideFolder } from "../../../workspace/checkout/git-folder-watch/index.ts";
import { retireReading, type Reading } from "../../../workspace/checkout/worktree/index.ts";
import type { EffectDeps } from "../deps.ts";
import { endBlindFolder, isBlind } from "./blind-folder.ts";

type CallEffect = EffectOf<"call_provider"> | EffectOf<"reattach_call">;

/**
 * Reviewers of the loop share one folder for each tree until the run ends. A side task may come when the run is over, and
 * has a folder of its own, which ends with the call.
 */
export const readingOf = ({ call }: CallEffect, tree: string): Reading =>
  call.sideId === null ? { tree } : { tree, callId: call.callId };

export async function endReading(deps: EffectDeps, effect: CallEffect, runId: string): Promise<void> {
  const { repository } = deps;
  if (isBlind(effect)) endBlindFolder(deps, effect, runId);
  else if (repository && effect.readsTree !== null && effect.call.sideId !== null)
    await retireReading(repository, runId, readingOf(effect, effect.readsTree));
}

/** It may have been the user who added them while no process of ours was there, so they are named. */
export function describeRestored(
  repository: Repository | undefined,
  runId: string,
  paths: readonly string[],
): string | undefined {
  if (!repository || paths.length === 0) return undefined;
  const some = paths.slice(0, 5).join(", ") + (paths.length > 5 ? ` and ${paths.length - 5} more` : "");
  const aside = asideFolder(repository, runId);
  return `these files of the git folder changed meanwhile and were put back as they were before the call: ${some}. If they are yours, copy them from ${aside}`;
}
