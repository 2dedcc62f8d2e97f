// The folder of an agent that must not see the work: the files of the base commit alone, without a git folder, outside the
// checkout. It is removed when the call ends.
import { join } from "node:path";
import type { EffectOf } from "../../../core/contract/index.ts";
import { entryAt } from "../../../platform/system/index.ts";
import { stateFolder } from "../../../workspace/checkout/worktree/index.ts";
import { openScratch, sweepScratch } from "../../../workspace/checks/index.ts";
import { type EffectDeps, repositoryOf } from "../deps.ts";
import { scratchRoot } from "../scratch.ts";

type CallEffect = EffectOf<"call_provider"> | EffectOf<"reattach_call">;

export const isBlind = ({ call }: CallEffect): boolean => call.purpose === "blind_tests";

function rootOf(deps: EffectDeps, { call }: CallEffect, runId: string): string {
  return join(scratchRoot(deps.scratchFolders, repositoryOf(deps).top, runId), `blind-${call.callId}`);
}

/** `again`: an agent of an earlier process may still read there. */
export async function openBlindFolder(
  deps: EffectDeps,
  effect: CallEffect,
  runId: string,
  again: boolean,
): Promise<string> {
  const repository = repositoryOf(deps);
  const root = rootOf(deps, effect, runId);
  const dir = join(root, "base");
  if (again && entryAt(dir)?.isDirectory()) return dir;
  // Left by a process that ended between two steps.
  sweepScratch(repository, root);
  await openScratch(repository, dir, effect.readsTree ?? "", "none");
  return dir;
}

export function endBlindFolder(deps: EffectDeps, effect: CallEffect, runId: string): void {
  sweepScratch(repositoryOf(deps), rootOf(deps, effect, runId));
}

/** The checkout, its git folder with the pinned work, and our records: hidden where a sandbox can hide them. */
export function hiddenFromBlind(deps: EffectDeps): readonly string[] {
  const repository = repositoryOf(deps);
  return [...new Set([repository.top, repository.commonDir, repository.gitDir, stateFolder(repository)])];
}
