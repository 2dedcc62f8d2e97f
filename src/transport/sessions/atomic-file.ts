// Writes a file so that a reader, or a crash at any moment, sees the old bytes or the new ones, never a part.
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import process from "node:process";

let serial = 0;

function writeAll(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
}

function syncFolder(folder: string): void {
  // Windows cannot open a folder; its renames are durable on their own terms.
  if (process.platform === "win32") return;
  const fd = openSync(folder, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** The path must not be a symlink we would replace: the link itself is replaced, its target never written. */
export function writeAtomic(path: string, data: string | Uint8Array): void {
  const temporary = `${path}.${process.pid}-${(serial += 1)}.tmp`;
  const bytes = typeof data === "string" ? Buffer.from(data, "utf8") : data;
  try {
    const fd = openSync(temporary, "wx", 0o600);
    try {
      writeAll(fd, bytes);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncFolder(dirname(path));
}

export function writeJson(path: string, value: unknown): void {
  writeAtomic(path, `${JSON.stringify(value, null, 2)}\n`);
}
