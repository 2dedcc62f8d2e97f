// Room on the disk that a run takes before it sends anything, so that an answer that is paid for can be written when the
// disk fills up meanwhile. It ends in `.tmp`, so that a look at a run that died removes it.
import { rmSync, writeFileSync } from "node:fs";

/** More than an answer, its HTML and the files of a session need. */
const bytes = 1 << 20;

const held = new Set<string>();

export function holdReserve(path: string): void {
  held.add(path);
  // Nothing in it is ever read: only the room counts.
  writeFileSync(path, new Uint8Array(bytes), { mode: 0o600 });
}

export function dropReserve(path: string): void {
  held.delete(path);
  rmSync(path, { force: true });
}

/** Gives the room of one run back to the disk; false when there is none. */
export function useReserve(): boolean {
  const [path] = held;
  if (path === undefined) return false;
  dropReserve(path);
  return true;
}
