// Folders for reviewers: each holds exactly one tree of a run, and is removed with the run.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { entryAt } from "../../../platform/system/index.ts";
import { withGcPaused, bringIn, type Repository } from "../../../platform/git/index.ts";
import { captureChanges } from "./capture.ts";
import { createWorktree, openWorktree } from "./create.ts";
import { commitTree } from "./pinned.ts";
import type { Worktree } from "./record.ts";
import { retireWorktree } from "./remove.ts";
import { stateSubfolder } from "./state-dir.ts";

const prefix = "read-";

const nameOf = (tree: string): string => `${prefix}${tree.slice(0, 16)}`;

export async function createReading(repository: Repository, runId: string, tree: string): Promise<Worktree> {
  return withGcPaused(repository, async (where) => {
    const baseCommit = await commitTree(where, tree, [], `${runId}: a tree under review\n`);
    await bringIn(where, baseCommit);
    return createWorktree(repository, { runId, name: nameOf(tree), baseCommit });
  });
}

/** Files that a reader changed, and its HEAD where it made a commit. */
export async function changedReading(repository: Repository, runId: string, tree: string): Promise<string[]> {
  const reading = openWorktree(repository, runId, nameOf(tree));
  if (!reading) return [];
  const { changes, workerHead, baseCommit } = await captureChanges(reading);
  const moved = workerHead !== null && workerHead !== baseCommit;
  return [...changes.map(({ path }) => path), ...(moved ? [".git/HEAD"] : [])];
}

export async function retireReadings(repository: Repository, runId: string): Promise<void> {
  const folder = join(stateSubfolder(repository, "worktrees"), runId);
  if (!entryAt(folder)?.isDirectory()) return;
  const names = readdirSync(folder).filter((name) => name.startsWith(prefix) && !name.includes("."));
  for (const name of names) await retireWorktree(repository, runId, name);
}
