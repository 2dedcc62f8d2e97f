// The one way in which a configuration file of the user's is written: whole or not at all, with the old one kept beside it.
import { chmodSync, lstatSync, mkdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import process from "node:process";
import { writeDurably } from "../system/index.ts";

/** The file as it was before us is kept for good; later states take turns in a second place. */
export function backupOf(path: string): string {
  const first = `${path}.before-thehood`;
  return lstatSync(first, { throwIfNoEntry: false }) === undefined ? first : `${first}-last`;
}

const write = (path: string, bytes: Uint8Array): void =>
  writeDurably(path, `${path}.${process.pid}.new`, bytes);

/**
 * The file where the old one is kept, or null when there was none. A new file can be read by its owner alone. A file that
 * git tracks needs no other copy. `through` a link of the user's the file behind it is written; a link in a repository may
 * lead anywhere.
 */
export function replaceFile(
  path: string,
  text: string,
  { keep = true, through = false } = {},
): string | null {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  const backup = mode === undefined || !keep ? null : backupOf(path);
  if (backup !== null) write(backup, readFileSync(path));
  const target = through && mode !== undefined ? realpathSync(path) : path;
  write(target, Buffer.from(text));
  if (mode !== undefined) chmodSync(target, mode & 0o777);
  return backup;
}
