// A worktree whose record is gone or cannot be read: unknown is not absent, and work may lie in it. git's own notes, which
// no worker can write, still say what it is.
import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { git, linkedWorktree, type Repository } from "../../../platform/git/index.ts";
import { entryAt } from "../../../platform/system/index.ts";
import { resolveCommit, treeOf } from "./describe.ts";
import { readRecord, writeRecord, type WorktreeLocation, type WorktreeRecord } from "./record.ts";

export const isWorktreeAt = (place: WorktreeLocation) => (folder: string) => folder === place.path;

interface Lost {
  readonly runId: string;
  readonly name: string;
  readonly baseCommit?: string;
}

/** Writes the record anew; undefined when there is a record, no folder, or nothing that git knows. */
export async function adoptWorktree(
  repository: Repository,
  place: WorktreeLocation,
  { runId, name, baseCommit }: Lost,
): Promise<WorktreeRecord | undefined> {
  if (entryAt(place.path)?.isDirectory() !== true || readRecord(place)) return undefined;
  const adminDir = linkedWorktree(repository, isWorktreeAt(place));
  if (adminDir === undefined) return undefined;
  const base = baseCommit ?? (await firstCommit(repository, adminDir));
  if (base === undefined) return undefined;
  if (entryAt(place.pristineIndex)?.isFile() !== true || lstatSync(place.pristineIndex).size === 0)
    await git(repository, ["read-tree", base], { indexFile: place.pristineIndex });
  const record: WorktreeRecord = {
    version: 1,
    runId,
    name,
    baseCommit: base,
    baseTree: await treeOf(repository, base),
    adminDir,
    inode: lstatSync(place.path).ino,
    keptRefs: [],
    removing: false,
  };
  writeRecord(place, record);
  return record;
}

/** The commit that the worktree was made at, by the log of its HEAD. */
async function firstCommit(repository: Repository, adminDir: string): Promise<string | undefined> {
  const file = join(adminDir, "logs", "HEAD");
  if (entryAt(file)?.isFile() !== true) return undefined;
  const id = /^[0-9a-f]{40,64} ([0-9a-f]{40,64}) /.exec(readFileSync(file, "latin1"))?.[1];
  return id === undefined ? undefined : resolveCommit(repository, id);
}
