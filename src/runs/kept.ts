// Work that was pinned before it was removed.
import { terminalStates, type EventLog } from "../contract/index.ts";
import type { KeptWork } from "../operations/index.ts";
import { requireRepository, sweepAsides } from "../git/index.ts";
import {
  dropKept,
  dropKeptFolder,
  listKept,
  listKeptFolders,
  sweepWorktrees,
} from "../checkout/worktree/index.ts";
import type { Place } from "../git/index.ts";

export async function keptWork({ root, stateDir }: Place): Promise<KeptWork[]> {
  const kept = await listKept(requireRepository(root));
  const work = kept.map(({ ref, runId, commit, at, summary }) => ({
    ref,
    runId,
    commit,
    at: at * 1_000,
    subject: summary,
  }));
  const folders = listKeptFolders(stateDir).map(({ folder, runId, files, at }) => ({
    ref: folder,
    runId,
    commit: "",
    at: at * 1_000,
    subject: `${runId}: ${files} ignored file(s), in a private folder`,
  }));
  return [...work, ...folders];
}

export async function dropKeptWork({ root, stateDir }: Place, refs: readonly string[]): Promise<string[]> {
  const repository = requireRepository(root);
  const wanted = (await listKept(repository)).filter(({ ref }) => refs.includes(ref));
  for (const work of wanted) await dropKept(repository, work);
  const folders = listKeptFolders(stateDir).filter(({ folder }) => refs.includes(folder));
  for (const one of folders) dropKeptFolder(stateDir, one);
  return [...wanted.map(({ ref }) => ref), ...folders.map(({ folder }) => folder)];
}

const over: readonly string[] = terminalStates;

/** A run that can still go on keeps its worktree, also when its process is gone. */
export async function sweepLeftovers({ root }: Place, log: EventLog) {
  const repository = requireRepository(root);
  sweepAsides(repository);
  const { removed, left } = await sweepWorktrees(repository, async (runId) => {
    const state = (await log.row(runId))?.state;
    return state !== undefined && !over.includes(state);
  });
  return { removed, left };
}
