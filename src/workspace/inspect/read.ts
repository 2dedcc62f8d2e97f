// Reads files of an untrusted repository: plain files only, never through a link, with a limit.
import { closeSync, constants, fstatSync, opendirSync, openSync, readSync, type Dirent } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { systemCode, entryAt } from "../../platform/system/index.ts";

const maxFileBytes = 1 << 20;

/** The first megabyte of a plain file as text; undefined for any other entry. */
export function readFileText(path: string, limit = maxFileBytes): string | undefined {
  return readBytes(path, limit)?.toString("utf8");
}

export function readBytes(path: string, limit = maxFileBytes): Buffer | undefined {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) return undefined;
    const bytes = Buffer.alloc(Math.min(stats.size, limit));
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = readSync(fd, bytes, length, bytes.length - length, null);
    return bytes.subarray(0, length);
  } finally {
    closeSync(fd);
  }
}

/** Names in a folder, at most `limit`; a folder with millions of entries costs no more. Undefined when it cannot be read. */
export function listFolder(path: string, limit: number): { entries: Dirent[]; more: boolean } | undefined {
  let folder;
  try {
    folder = opendirSync(path);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
  try {
    const entries: Dirent[] = [];
    for (let entry = folder.readSync(); entry; entry = folder.readSync()) {
      if (entries.length >= limit) return { entries, more: true };
      entries.push(entry);
    }
    return { entries, more: false };
  } finally {
    folder.closeSync();
  }
}

/** The folder that a `.git` file leads to. */
export function pointerTarget(gitFile: string): { readonly written: string; readonly end: string } {
  const written = (readFileText(gitFile, 8192) ?? "").replace(/^gitdir: /, "").trim();
  return { written, end: resolve(dirname(gitFile), written) };
}

/** Git's folder names it back and shares the repository's configuration. One with a configuration of its own does not count. */
export function isOwnWorktree(gitFile: string, commonDir: string): boolean {
  const { end } = pointerTarget(gitFile);
  const named = (name: string) => resolve(end, (readFileText(join(end, name), 8192) ?? "").trim());
  return (
    dirname(end) === join(commonDir, "worktrees") &&
    named("gitdir") === gitFile &&
    named("commondir") === commonDir &&
    entryAt(join(end, "config.worktree")) === undefined
  );
}
