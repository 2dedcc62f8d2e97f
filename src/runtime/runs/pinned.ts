// Lists, drops and sweeps pinned work.
import { terminalStates, type EventLog } from "../../core/contract/index.ts";
import type { PinnedWorkRow } from "../../operations/index.ts";
import { requireRepository, removeStaleGcGuards } from "../../platform/git/index.ts";
import {
  dropPinned,
  dropPinnedFolder,
  listPinned,
  listPinnedFolders,
  sweepWorktrees,
} from "../../workspace/checkout/worktree/index.ts";
import type { RepositoryLocation } from "../../platform/git/index.ts";

export async function keptWork({ root, stateDir }: RepositoryLocation): Promise<PinnedWorkRow[]> {
  const kept = await listPinned(requireRepository(root));
  const work = kept.map(({ ref, runId, commit, at, summary }) => ({
    ref,
    runId,
    commit,
    at: at * 1_000,
    subject: summary,
  }));
  const folders = listPinnedFolders(stateDir).map(({ folder, runId, files, at }) => ({
    ref: folder,
    runId,
    commit: "",
    at: at * 1_000,
    subject: `${runId}: ${files} ignored file(s), in a private folder`,
  }));
  return [...work, ...folders];
}

export async function dropPinnedWork(
  { root, stateDir }: RepositoryLocation,
  refs: readonly string[],
): Promise<string[]> {
  const repository = requireRepository(root);
  const wanted = (await listPinned(repository)).filter(({ ref }) => refs.includes(ref));
  for (const work of wanted) await dropPinned(repository, work);
  const folders = listPinnedFolders(stateDir).filter(({ folder }) => refs.includes(folder));
  for (const one of folders) dropPinnedFolder(stateDir, one);
  return [...wanted.map(({ ref }) => ref), ...folders.map(({ folder }) => folder)];
}

const over: readonly string[] = terminalStates;

/** A run that can still go on keeps its worktree, also when its process is gone. */
export async function sweepLeftovers({ root }: RepositoryLocation, log: EventLog) {
  const repository = requireRepository(root);
  removeStaleGcGuards(repository);
  const { removed, left } = await sweepWorktrees(repository, async (runId) => {
    const state = (await log.row(runId))?.state;
    return state !== undefined && !over.includes(state);
  });
  return { removed, left };
}
