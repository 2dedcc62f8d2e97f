// The record of a worktree, kept beside it and out of the worker's reach: enough to go on after a crash.
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { fail } from "../../contract/index.ts";
import { entryAt, writeDurably } from "../../system/index.ts";
import type { Repository } from "../../git/index.ts";
import { isSafeSegment } from "../../paths/index.ts";
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
  keptRefs: z.array(z.string()),
  removing: z.boolean(),
});
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

export interface WorktreePlace {
  readonly folder: string;
  readonly path: string;
  readonly recordFile: string;
  /** The index as it was right after the checkout: the trusted list of what is unchanged. */
  readonly pristineIndex: string;
}

export function placeOf(repository: Repository, runId: string, name: string): WorktreePlace {
  if (!isSafeSegment(runId) || !isSafeSegment(name))
    fail("invalid_input", `${JSON.stringify(runId)}/${JSON.stringify(name)} cannot name a worktree.`);
  const folder = stateSubfolder(repository, "worktrees", runId);
  return {
    folder,
    path: join(folder, name),
    recordFile: join(folder, `${name}.json`),
    pristineIndex: join(folder, `${name}.index`),
  };
}

export function writeRecord(place: WorktreePlace, record: WorktreeRecord): void {
  const bytes = Buffer.from(`${JSON.stringify(record, null, 1)}\n`);
  writeDurably(place.recordFile, `${place.recordFile}.${process.pid}.tmp`, bytes);
}

export function readRecord(place: WorktreePlace): WorktreeRecord | undefined {
  if (!existsSync(place.recordFile)) return undefined;
  const parsed = recordSchema.safeParse(parseJson(readFileSync(place.recordFile, "utf8")));
  return parsed.success ? parsed.data : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Refuses a worktree that is no longer the folder we made: a worker may have put a link in its place. */
export function insistSameFolder(worktree: Worktree): void {
  const found = entryAt(worktree.path);
  const same =
    found?.isDirectory() === true &&
    found.ino === worktree.record.inode &&
    realpathSync(worktree.path) === worktree.path;
  if (!same)
    fail(
      "unsafe_repository",
      `The worktree ${worktree.path} was replaced by something else while a worker ran.`,
      {
        remedy: "Look at the folder; nothing of it was read or removed.",
      },
    );
}
