// git's own records of linked worktrees. `git worktree prune` is not used: it also forgets worktrees of the user whose
// disk is not mounted.
import { readFileSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { entryAt, systemCode } from "../system/index.ts";
import type { Repository } from "./locate.ts";

/**
 * Makes git forget the worktrees that `isOurs` selects by their folder. The search starts from git's records, because a
 * half removed folder no longer names its record. It can be repeated after an interruption at any point: the file that
 * names the worktree is removed last.
 */
export function forgetWorktrees(repository: Repository, isOurs: (folder: string) => boolean): void {
  const notes = join(repository.commonDir, "worktrees");
  if (!entryAt(notes)?.isDirectory()) return;
  for (const name of namesIn(notes)) {
    const note = join(notes, name);
    const pointer = join(note, "gitdir");
    const folder = entryAt(note)?.isDirectory() ? folderNamedIn(pointer) : undefined;
    if (folder === undefined || !isOurs(folder)) continue;
    for (const inside of namesIn(note))
      if (inside !== "gitdir") rmSync(join(note, inside), { recursive: true, force: true });
    rmSync(pointer, { force: true });
    unlessGone(() => rmdirSync(note), undefined);
  }
}

/** git's note about the worktree at a folder that `isOurs` names. */
export function linkedWorktree(repository: Repository, isOurs: (folder: string) => boolean): string | undefined {
  const notes = join(repository.commonDir, "worktrees");
  if (!entryAt(notes)?.isDirectory()) return undefined;
  const found = namesIn(notes).find((name) => {
    const folder = folderNamedIn(join(notes, name, "gitdir"));
    return folder !== undefined && isOurs(folder);
  });
  return found === undefined ? undefined : join(notes, found);
}

/** Another run, or a `git worktree prune` of the user, may remove what was there a moment before. */
function unlessGone<T>(work: () => T, gone: T): T {
  try {
    return work();
  } catch (error) {
    if (systemCode(error) === "ENOENT") return gone;
    throw error;
  }
}

const namesIn = (folder: string): string[] => unlessGone(() => readdirSync(folder), []);

function folderNamedIn(pointer: string): string | undefined {
  if (!entryAt(pointer)?.isFile()) return undefined;
  return unlessGone(() => dirname(readFileSync(pointer, "utf8").trimEnd()), undefined);
}
