// Makes a worktree durable: git syncs its objects, and neither the files that it checks out nor its notes about a worktree.
import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { entryAt, syncFile, syncFolder } from "../../../platform/system/index.ts";
import type { WorktreeLocation } from "./record.ts";

/** git's own notes about the worktree, the pointer to them, and our copy of its index. */
export function settleNotes(location: WorktreeLocation, adminDir: string): void {
  syncAll(adminDir);
  for (const file of [join(location.path, ".git"), location.pristineIndex])
    if (entryAt(file)?.isFile() === true) syncFile(file);
  syncFolder(join(adminDir, ".."));
}

function syncAll(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) syncAll(path);
    else if (entry.isFile()) syncFile(path);
  }
  syncFolder(folder);
}

const flushing = new Map<string, Promise<void>>();
const programs = ["/usr/bin/sync", "/bin/sync"];

/** Starts to flush the disk that holds the worktree. It goes on while the worker is asked. */
export function startFlush(path: string): void {
  const program = process.platform === "linux" ? programs.find((one) => existsSync(one)) : undefined;
  if (program === undefined) return;
  const done = new Promise<void>((resolve) => {
    // A flush that fails leaves the files to the system, which writes them within half a minute.
    execFile(program, ["-f", path], { timeout: 30_000, env: {} }, () => resolve());
  });
  flushing.set(path, done);
}

/** Waits for that flush, then syncs the files that the worker changed. */
export async function settleWork(path: string, changed: readonly string[]): Promise<void> {
  await flushing.get(path);
  flushing.delete(path);
  const folders = new Set<string>();
  for (const name of changed) {
    const file = join(path, name);
    if (entryAt(file)?.isFile() === true) syncFile(file);
    folders.add(join(file, ".."));
  }
  for (const folder of folders) if (entryAt(folder)?.isDirectory() === true) syncFolder(folder);
}
