// Makes the folder a worker works in: a linked worktree at the base commit, detached, with nothing of the repository run.
import { existsSync, lstatSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { fail } from "../../../core/contract/index.ts";
import { forgetWorktrees, git, type Repository, linkedWorktree } from "../../../platform/git/index.ts";
import { entryAt } from "../../../platform/system/index.ts";
import { openBase } from "./base-refs.ts";
import { resolveCommit, treeOf } from "./describe.ts";
import { copyIndex, dropIndexes } from "./stage.ts";
import { copyIncluded } from "./include.ts";
import { listPinned } from "./kept-work.ts";
import {
  recordLocation,
  readRecord,
  writeRecord,
  type Worktree,
  type WorktreeLocation,
  type WorktreeRecord,
} from "./record.ts";
import { recordHere } from "./relocate.ts";
import { settleNotes, startFlush } from "./sync-to-disk.ts";
import { ensureExcluded, workFolder } from "./state-dir.ts";

interface CreateOptions {
  readonly runId: string;
  /** Distinguishes several worktrees of one run. */
  readonly name?: string;
  readonly baseCommit: string;
  /** A worker was here before: when the folder has to be made anew, it holds what was kept of the run last. */
  readonly again?: boolean;
  readonly signal?: AbortSignal;
}

/** The same worktree when it exists already: a repair pass goes on where the last one stopped. */
export async function createWorktree(repository: Repository, options: CreateOptions): Promise<Worktree> {
  const name = options.name ?? "work";
  const existing = openWorktree(repository, options.runId, name);
  if (existing) return existing;
  ensureExcluded(repository);
  const location = recordLocation(repository, options.runId, name);
  const baseCommit =
    (await openBase(repository, options.baseCommit)) ??
    fail("not_found", `${options.baseCommit} is not a commit of this repository.`, {
      remedy: "Check the base commit.",
    });
  const lost = await adoptWorktree(repository, location, { runId: options.runId, name, baseCommit });
  if (lost) return asWorktree(repository, location, lost);
  clearHalfMade(repository, location);
  const about = { version: 1 as const, runId: options.runId, name, baseCommit };
  const baseTree = await treeOf(repository, baseCommit);
  const rest = { baseTree, keptRefs: [], removing: false, top: repository.top };
  writeRecord(location, { ...about, ...rest, adminDir: "", inode: 0, making: true });
  workFolder(repository, options.runId);
  await git(repository, ["worktree", "add", "--detach", "--quiet", location.path, baseCommit], {
    config: [["core.sparseCheckout", "false"]],
    timeoutMs: 600_000,
    ...(options.signal ? { signal: options.signal } : {}),
  });
  const adminDir = adminDirOf(location.path);
  copyIndex(join(adminDir, "index"), location.pristineIndex);
  if (options.again) await bringBack(repository, options.runId, location, baseCommit);
  await copyIncluded(repository, location.path);
  settleNotes(location, adminDir);
  startFlush(location.path);
  const record = { ...about, ...rest, adminDir, inode: lstatSync(location.path).ino };
  writeRecord(location, record);
  showWorktree(location);
  return asWorktree(repository, location, record);
}

/** The folder was removed between two passes; the work of the first one must not look undone. */
async function bringBack(
  repository: Repository,
  runId: string,
  location: WorktreeLocation,
  baseCommit: string,
): Promise<void> {
  const last = (await listPinned(repository, runId)).at(-1);
  if (!last) return;
  const indexFile = `${location.pristineIndex}.capture`;
  copyIndex(location.pristineIndex, indexFile);
  try {
    await git(repository, ["read-tree", "-m", "-u", baseCommit, last.tree], {
      workTree: location.path,
      indexFile,
      config: [["core.sparseCheckout", "false"]],
      timeoutMs: 600_000,
    });
  } finally {
    rmSync(indexFile, { force: true });
  }
}

function asWorktree(repository: Repository, location: WorktreeLocation, record: WorktreeRecord): Worktree {
  const { runId, name, baseCommit, baseTree } = record;
  return { repository, runId, name, path: location.path, baseCommit, baseTree, record };
}

/** The finished worktree of an earlier process; undefined without one. */
export function openWorktree(repository: Repository, runId: string, name = "work"): Worktree | undefined {
  const location = recordLocation(repository, runId, name);
  const record = recordHere(repository, location);
  if (!record || record.removing || record.making || !existsSync(location.path)) return undefined;
  return asWorktree(repository, location, record);
}

/** For people, and for tools that look beside the record. */
function showWorktree({ path, shown }: WorktreeLocation): void {
  if (!entryAt(shown)) symlinkSync(path, shown, "junction");
}

/** `worktree add` has just written this pointer; later it belongs to the worker and is not read again. */
function adminDirOf(path: string): string {
  const pointer = readFileSync(join(path, ".git"), "utf8")
    .replace(/^gitdir: /, "")
    .trimEnd();
  return realpathSync(resolve(path, pointer));
}

/** A folder whose record is unfinished was never handed to a worker: a crash left it. */
function clearHalfMade(repository: Repository, location: WorktreeLocation): void {
  forgetWorktrees(repository, isWorktreeAt(location));
  rmSync(location.path, { recursive: true, force: true });
  dropIndexes(location.pristineIndex);
  for (const file of [location.recordFile, location.pristineIndex, location.shown]) rmSync(file, { force: true });
}

export const isWorktreeAt = (location: WorktreeLocation) => (folder: string) => folder === location.path;

interface Lost {
  readonly runId: string;
  readonly name: string;
  readonly baseCommit?: string;
}

/** Writes the record anew; undefined when there is a record, no folder, or nothing that git knows. */
export async function adoptWorktree(
  repository: Repository,
  location: WorktreeLocation,
  { runId, name, baseCommit }: Lost,
): Promise<WorktreeRecord | undefined> {
  if (entryAt(location.path)?.isDirectory() !== true || readRecord(location)) return undefined;
  const adminDir = linkedWorktree(repository, isWorktreeAt(location));
  if (adminDir === undefined) return undefined;
  const base = baseCommit ?? (await firstCommit(repository, adminDir));
  if (base === undefined) return undefined;
  if (entryAt(location.pristineIndex)?.isFile() !== true || lstatSync(location.pristineIndex).size === 0)
    await git(repository, ["read-tree", base], { indexFile: location.pristineIndex });
  const record: WorktreeRecord = {
    version: 1,
    runId,
    name,
    baseCommit: base,
    baseTree: await treeOf(repository, base),
    adminDir,
    inode: lstatSync(location.path).ino,
    keptRefs: [],
    removing: false,
    top: repository.top,
  };
  writeRecord(location, record);
  return record;
}

/** The commit that the worktree was made at, by the log of its HEAD. */
async function firstCommit(repository: Repository, adminDir: string): Promise<string | undefined> {
  const file = join(adminDir, "logs", "HEAD");
  if (entryAt(file)?.isFile() !== true) return undefined;
  const id = /^[0-9a-f]{40,64} ([0-9a-f]{40,64}) /.exec(readFileSync(file, "latin1"))?.[1];
  return id === undefined ? undefined : resolveCommit(repository, id);
}
