// Writes a file of a session so that a reader, or a crash at any moment, sees the old bytes or the new ones.
import { rmSync, writeFileSync } from "node:fs";
import process from "node:process";
import { diskFailure } from "../../../core/contract/index.ts";
import { writeDurably } from "../../../platform/system/index.ts";

/** More than an answer, its HTML and the other files of a session need. */
const bytes = 1 << 20;

const held = new Set<string>();

export function holdReserve(path: string): void {
  held.add(path);
  // The content is never read: the file only reserves space.
  writeFileSync(path, new Uint8Array(bytes), { mode: 0o600 });
}

export function dropReserve(path: string): void {
  held.delete(path);
  rmSync(path, { force: true });
}

/** Releases the reserved space of one run; false when there is none. */
function useReserve(): boolean {
  const [path] = held;
  if (path === undefined) return false;
  dropReserve(path);
  return true;
}

let serial = 0;

/** A symlink at the path is replaced; its target is never written. */
export function writeSpare(path: string, data: string | Uint8Array): void {
  const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
  writeDurably(path, `${path}.${process.pid}-${(serial += 1)}.tmp`, bytes);
}

/** The same for files that must not be lost: on a full disk it releases the reserved space. */
export function writeAtomic(path: string, data: string | Uint8Array): void {
  try {
    writeSpare(path, data);
  } catch (error) {
    if (diskFailure(error)?.failure.code !== "store_full" || !useReserve()) throw error;
    writeSpare(path, data);
  }
}

export function writeJson(path: string, value: unknown): void {
  writeAtomic(path, `${JSON.stringify(value, null, 2)}\n`);
}
