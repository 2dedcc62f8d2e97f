// Makes a worktree durable: git syncs its objects, and neither the files that it checks out nor its notes about a worktree.
import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { diskFailure, fail } from "../../../core/contract/index.ts";
import { entryAt, syncFile, syncFolder, systemCode } from "../../../platform/system/index.ts";
import { git, splitRecords, type BytePath, type Repository } from "../../../platform/git/index.ts";
import { recordLocation, type Worktree, type WorktreeLocation } from "./record.ts";
import { fileAt, sameFile, through, unlikeIndex } from "./stage.ts";

/** git's own notes about the worktree, the pointer to them, and our copy of its index. */
export function settleNotes(location: WorktreeLocation, adminDir: string): void {
  syncAll(adminDir);
  for (const file of [join(location.path, ".git"), location.pristineIndex])
    if (entryAt(file)?.isFile() === true) syncFile(file);
  syncFolder(join(adminDir, ".."));
}

function syncAll(folder: string): void {
  const entries = unlessGone(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) syncAll(path);
    else if (entry.isFile()) unlessGone(() => syncFile(path));
  }
  unlessGone(() => syncFolder(folder));
}

/** A git of the user beside us makes a lock in git's notes and renames it: what is gone needs no sync, its folder does. */
function unlessGone<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

const flushing = new Map<string, Promise<boolean>>();

/** macOS has no flush of one disk by a command. */
function flushCommand(path: string): readonly string[] | undefined {
  const program = ["/usr/bin/sync", "/bin/sync"].find((one) => existsSync(one));
  if (program === undefined || process.platform === "win32") return undefined;
  return process.platform === "linux" ? [program, "-f", path] : [program];
}

/** Flushes the disk that holds the path. False when the system cannot, or reports an error. */
function flush(path: string, timeout: number): Promise<boolean> {
  const [program, ...args] = flushCommand(path) ?? [];
  if (program === undefined) return Promise.resolve(false);
  return new Promise((resolve) => {
    execFile(program, args, { timeout, env: {} }, (error) => resolve(error === null));
  });
}

/**
 * Starts to flush the disk that holds a new worktree. It goes on while the worker is asked. A flush that fails leaves
 * the files to the system, which writes them within half a minute: they are in the base commit.
 */
export function startFlush(path: string): void {
  if (process.platform === "linux") flushing.set(path, flush(path, 30_000));
}

async function startedFlush(path: string): Promise<void> {
  await flushing.get(path);
  flushing.delete(path);
}

/** Above this number of files one flush of the disk costs less. */
const mostFiles = 500;

/**
 * Before the answer of a worker is recorded: the files that the worker wrote are on the disk, with its commits and its
 * index. Otherwise a power loss leaves empty files beside a recorded answer, and they would be captured as its work.
 */
export async function settleWorktree(worktree: Worktree): Promise<void> {
  const { repository, path, record, runId, name } = worktree;
  await startedFlush(path);
  const { pristineIndex } = recordLocation(repository, runId, name);
  const changed = await listUnlike(repository, path, pristineIndex);
  // What the worker committed or staged are objects that its own git wrote, and did not sync.
  const used = !sameFile(join(record.adminDir, "index"), pristineIndex);
  await onDisk(path, changed, used);
  syncAll(record.adminDir);
}

/** The same for a worker in the checkout itself. */
export async function settleCheckout(repository: Repository): Promise<void> {
  await onDisk(repository.top, await listUnlike(repository, repository.top, undefined), false);
}

const listUnlike = async (repository: Repository, workTree: string, indexFile: string | undefined) =>
  splitRecords(
    (
      await git(
        repository,
        unlikeIndex,
        indexFile === undefined ? { timeoutMs: 600_000 } : through({ repository, workTree, indexFile }),
      )
    ).stdout,
  ).map((line) => line.slice(2));

async function onDisk(path: string, changed: readonly BytePath[], flushed: boolean): Promise<void> {
  const many = changed.length > mostFiles;
  if ((flushed || many) && (await flush(path, 120_000))) return;
  try {
    syncPaths(path, changed);
  } catch (error) {
    throw diskFailure(error) ?? error;
  }
  if (flushed && process.platform !== "win32")
    fail("store_io", `The disk of ${path} was not flushed: the program sync is missing, failed or took too long.`, {
      remedy: "Look at the disk, then continue.",
    });
}

/** Files and the folders that name them. git writes names as bytes, so paths are bytes here. */
function syncPaths(path: string, changed: readonly BytePath[]): void {
  const folders = new Set<BytePath>([""]);
  for (const name of changed) {
    const found = fileAt(path, name);
    if (found?.isFile() === true) unlessGone(() => syncFile(bytesOf(path, name)));
    else if (found?.isDirectory() === true) syncAll(bytesOf(path, name).toString());
    for (let at = name.lastIndexOf("/"); at > 0; at = name.lastIndexOf("/", at - 1)) folders.add(name.slice(0, at));
  }
  for (const folder of folders) if (fileAt(path, folder)?.isDirectory() === true) syncFile(bytesOf(path, folder));
}

const bytesOf = (folder: string, path: BytePath): Buffer =>
  Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, "latin1")]);

/** Waits for the flush of a new worktree, then syncs the files that the worker changed. */
export async function settleWork(path: string, changed: readonly string[]): Promise<void> {
  await startedFlush(path);
  syncPaths(
    path,
    changed.map((name) => Buffer.from(name).toString("latin1")),
  );
}
