// Writing a file so that a power loss leaves all of it or nothing: temporary name, rename, fsync of the folder.
import {
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import process from "node:process";
import { systemCode } from "../../core/contract/index.ts";

export function writeDurably(path: string, temporary: string, bytes: Uint8Array, mode?: number): void {
  writeWhole(path, temporary, bytes, mode);
  syncFolder(dirname(path));
}

/** All of it or nothing under its name; the name is durable once the caller syncs the folder. */
export function writeWhole(path: string, temporary: string, bytes: Uint8Array, mode?: number): void {
  const descriptor = openFresh(temporary);
  try {
    try {
      writeAll(descriptor, bytes);
      if (mode !== undefined) fchmodSync(descriptor, mode);
      sync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** A file of this name was left by a killed process in an earlier write; no other process writes under it. */
function openFresh(temporary: string): number {
  try {
    return openSync(temporary, "wx", 0o600);
  } catch (error) {
    if (systemCode(error) !== "EEXIST") throw error;
    rmSync(temporary, { force: true });
    return openSync(temporary, "wx", 0o600);
  }
}

/** A new folder counts only once its parent is on the disk. */
export function makeFolder(path: string): void {
  if (ensureFolder(path)) syncFolder(dirname(path));
}

/** The same for a folder whose parents may be missing too. */
export function makeFolders(path: string): void {
  if (existsSync(path)) return;
  makeFolders(dirname(path));
  makeFolder(path);
}

/** True when it was made now: its parent is then to be synced. */
export function ensureFolder(path: string): boolean {
  if (existsSync(path)) return false;
  try {
    mkdirSync(path, { mode: 0o700 });
    return true;
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    throw error;
  }
}

export function syncFolder(path: string): void {
  // Windows has no handle on a folder that could be flushed; its file systems journal renames themselves.
  if (process.platform !== "win32") syncFile(path);
}

/** Makes the content of a file durable that another program wrote. */
export function syncFile(path: string | Buffer): void {
  const descriptor = openSync(path, "r");
  try {
    sync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** After a failed fsync the state of the disk is unknown: an I/O error, also when the code is ENOSPC. */
function failedSync(error: unknown): unknown {
  if (systemCode(error) === "EIO") return error;
  const why = error instanceof Error ? error.message : String(error);
  return Object.assign(new Error(`EIO: fsync failed (${why})`, { cause: error }), {
    code: "EIO",
    syscall: "fsync",
  });
}

function sync(descriptor: number): void {
  try {
    fsyncSync(descriptor);
  } catch (error) {
    throw failedSync(error);
  }
}

/** Writes at a given position, so that a short write goes on where it stopped. */
function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length;) done += writeSync(descriptor, bytes, done, bytes.length - done, done);
}
