// Lists, compares, drops and sweeps pinned work.
import { createHash } from "node:crypto";
import { fail, terminalStates, type EventLog } from "../../core/contract/index.ts";
import type { PinnedChange, PinnedWorkRow } from "../../operations/index.ts";
import { requireRepository, removeStaleGcGuards } from "../../platform/git/index.ts";
import {
  baseTreeOf,
  diffTrees,
  dropPinned,
  dropPinnedFolder,
  listPinned,
  listPinnedFolders,
  releaseUnneeded,
  sweepWorktrees,
} from "../../workspace/checkout/worktree/index.ts";
import type { RepositoryLocation } from "../../platform/git/index.ts";

export async function keptWork({ root, stateDir }: RepositoryLocation): Promise<PinnedWorkRow[]> {
  const kept = await listPinned(requireRepository(root));
  const work = kept.map(({ ref, runId, tree, at, summary }) => ({
    ref,
    runId,
    tree,
    at: at * 1_000,
    subject: summary,
  }));
  const folders = listPinnedFolders(stateDir).map(({ folder, runId, files, at }) => ({
    ref: folder,
    runId,
    tree: "",
    at: at * 1_000,
    subject: `${runId}: ${files} ignored file(s), in a private folder`,
  }));
  return [...work, ...folders];
}

export async function diffBetween({ repository }: RepositoryLocation, from: string, to: string): Promise<Uint8Array> {
  return repository ? diffTrees(repository, from, to) : fail("not_found", "There is no repository here.");
}

/** The work of a run that was pinned last, as the change from its base. */
export async function lastKept({ repository }: RepositoryLocation, runId: string): Promise<PinnedChange | undefined> {
  const work = repository && (await listPinned(repository, runId)).at(-1);
  if (!work) return undefined;
  const bytes = await diffTrees(repository, await baseTreeOf(repository, work), work.tree);
  return { ref: work.ref, sha256: createHash("sha256").update(bytes).digest("hex"), bytes };
}

export async function dropPinnedWork(
  { root, stateDir }: RepositoryLocation,
  refs: readonly string[],
): Promise<string[]> {
  const repository = requireRepository(root);
  const wanted = (await listPinned(repository)).filter(({ ref }) => refs.includes(ref));
  for (const work of wanted) await dropPinned(repository, work);
  if (wanted.length > 0) await releaseUnneeded(repository);
  const folders = listPinnedFolders(stateDir).filter(({ folder }) => refs.includes(folder));
  for (const one of folders) dropPinnedFolder(stateDir, one);
  return [...wanted.map(({ ref }) => ref), ...folders.map(({ folder }) => folder)];
}

const over: readonly string[] = terminalStates;

/** A run that can still go on keeps its worktree, also when its process is gone. */
export async function sweepLeftovers({ root }: RepositoryLocation, log: EventLog) {
  const repository = requireRepository(root);
  removeStaleGcGuards(repository);
  await releaseUnneeded(repository);
  const { removed, left } = await sweepWorktrees(repository, async (runId) => {
    const state = (await log.row(runId))?.state;
    return state !== undefined && !over.includes(state);
  });
  return { removed, left };
}
