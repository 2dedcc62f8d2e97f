// Folders for reviewers: each holds exactly one tree of a run, and is removed with the run.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { entryAt } from "../../../platform/system/index.ts";
import { withGcPaused, bringIn, type Repository } from "../../../platform/git/index.ts";
import { captureChanges } from "./capture.ts";
import { createWorktree, openWorktree } from "./create.ts";
import { rememberCommit } from "./describe.ts";
import { commitTree } from "./pinned.ts";
import type { Worktree } from "./record.ts";
import { retireWorktree } from "./remove.ts";
import { stateSubfolder } from "./state-dir.ts";

const prefix = "read-";

export interface Reading {
  readonly tree: string;
  /** The call that has the folder for itself. */
  readonly callId?: string;
}

const nameOf = ({ tree, callId }: Reading): string =>
  callId === undefined ? `${prefix}${tree.slice(0, 16)}` : `${prefix}${tree.slice(0, 16)}-${callId}`;

export async function createReading(repository: Repository, runId: string, reading: Reading): Promise<Worktree> {
  const { tree } = reading;
  const name = nameOf(reading);
  const existing = openWorktree(repository, runId, name);
  if (existing) return existing;
  return withGcPaused(repository, async (where) => {
    const baseCommit = await commitTree(where, tree, [], `${runId}: a tree under review\n`);
    await bringIn(where, baseCommit);
    rememberCommit(repository, { commit: baseCommit, tree });
    return createWorktree(repository, { runId, name, baseCommit });
  });
}

/** Files that a reader changed, and its HEAD where it made a commit. */
export async function changedReading(repository: Repository, runId: string, reading: Reading): Promise<string[]> {
  const opened = openWorktree(repository, runId, nameOf(reading));
  if (!opened) return [];
  const { changes, workerHead, baseCommit } = await captureChanges(opened);
  const moved = workerHead !== null && workerHead !== baseCommit;
  return [...changes.map(({ path }) => path), ...(moved ? [".git/HEAD"] : [])];
}

export async function retireReading(repository: Repository, runId: string, reading: Reading): Promise<void> {
  await retireWorktree(repository, runId, nameOf(reading));
}

export async function retireReadings(repository: Repository, runId: string): Promise<void> {
  const folder = join(stateSubfolder(repository, "worktrees"), runId);
  if (!entryAt(folder)?.isDirectory()) return;
  // A killed process may leave notes of a folder (read-….json) without the folder, or before it is shown.
  const notes = readdirSync(folder).filter((name) => name.startsWith(prefix));
  for (const name of new Set(notes.map((note) => note.replace(/\..*$/s, ""))))
    await retireWorktree(repository, runId, name);
}
