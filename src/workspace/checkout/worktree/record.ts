// The record of a worktree, kept beside it and out of the worker's reach: enough to go on after a crash.
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { fail, parseJson } from "../../../core/contract/index.ts";
import { entryAt, targetAt, writeDurably } from "../../../platform/system/index.ts";
import type { Repository } from "../../../platform/git/index.ts";
import { isSafeSegment } from "../../../platform/paths/index.ts";
import { stateSubfolder } from "./state-dir.ts";

const recordSchema = z.object({
  version: z.literal(1),
  runId: z.string(),
  name: z.string(),
  baseCommit: z.string().regex(/^[0-9a-f]{40,64}$/),
  baseTree: z.string().regex(/^[0-9a-f]{40,64}$/),
  /** git's folder for this worktree, as it was before any worker could change the `.git` file. */
  adminDir: z.string(),
  inode: z.number(),
  /** The checkout when the worktree was made. Another one: the repository was renamed, copied or restored since. */
  top: z.string().optional(),
  keptRefs: z.array(z.string()),
  removing: z.boolean(),
  /** It is being made and was never handed to a worker. */
  making: z.boolean().optional(),
});
const newer = z.object({ version: z.number().gt(1) });
export type WorktreeRecord = z.infer<typeof recordSchema>;

export interface Worktree {
  readonly repository: Repository;
  readonly runId: string;
  readonly name: string;
  /** The folder a worker works in. */
  readonly path: string;
  readonly baseCommit: string;
  readonly baseTree: string;
  readonly record: WorktreeRecord;
}

export interface WorktreeLocation {
  /** The folder of the record. */
  readonly folder: string;
  readonly path: string;
  /** A link to the worktree beside its record. */
  readonly shown: string;
  readonly recordFile: string;
  /** The index as it was right after the checkout: the trusted list of what is unchanged. */
  readonly pristineIndex: string;
}

export function recordLocation(repository: Repository, runId: string, name: string): WorktreeLocation {
  if (!isSafeSegment(runId) || !isSafeSegment(name))
    fail("invalid_input", `${JSON.stringify(runId)}/${JSON.stringify(name)} cannot name a worktree.`);
  const folder = stateSubfolder(repository, "worktrees", runId);
  return {
    folder,
    path: join(repository.top, ".thehood-work", runId, name),
    shown: join(folder, name),
    recordFile: join(folder, `${name}.json`),
    pristineIndex: join(folder, `${name}.index`),
  };
}

export function writeRecord(location: WorktreeLocation, record: WorktreeRecord): void {
  const bytes = Buffer.from(`${JSON.stringify(record, null, 1)}\n`);
  writeDurably(location.recordFile, `${location.recordFile}.${process.pid}.tmp`, bytes);
}

/** Undefined when the record is missing or cannot be read: then nothing is known about the folder. */
export function readRecord(location: WorktreeLocation): WorktreeRecord | undefined {
  if (!existsSync(location.recordFile)) return undefined;
  const value = parseJson(readFileSync(location.recordFile, "utf8"));
  const version = newer.safeParse(value);
  if (version.success)
    fail("store_version", `The record of ${location.path} has version ${version.data.version}.`, {
      remedy: "Use the newer version of thehood that wrote it. Nothing was changed.",
    });
  const parsed = recordSchema.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}

/** A folder that was restored from a backup has another number; git's notes, which no worker can write, still name it. */
function isNamedByGit({ path, record }: Worktree): boolean {
  const pointer = join(record.adminDir, "gitdir");
  if (entryAt(pointer)?.isFile() !== true) return false;
  const named = dirname(readFileSync(pointer, "utf8").trimEnd());
  return targetAt(named) !== undefined && realpathSync(named) === realpathSync(path);
}

/** Refuses a worktree that is no longer the folder we made: a worker may have put a link in its place. */
export function insistSameFolder(worktree: Worktree): void {
  const found = entryAt(worktree.path);
  const same =
    found?.isDirectory() === true &&
    realpathSync(worktree.path) === worktree.path &&
    (found.ino === worktree.record.inode || isNamedByGit(worktree));
  if (!same)
    fail("unsafe_repository", `The worktree ${worktree.path} was replaced by something else while a worker ran.`, {
      remedy: "Look at the folder; nothing of it was read or removed.",
    });
}
