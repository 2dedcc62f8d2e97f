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
  for (const name of readdirSync(notes)) {
    const note = join(notes, name);
    const pointer = join(note, "gitdir");
    const folder = entryAt(note)?.isDirectory() ? folderNamedIn(pointer) : undefined;
    if (folder === undefined || !isOurs(folder)) continue;
    for (const inside of readdirSync(note))
      if (inside !== "gitdir") rmSync(join(note, inside), { recursive: true, force: true });
    rmSync(pointer, { force: true });
    rmdirSync(note);
  }
}

/** git's note about the worktree at a folder that `isOurs` names. */
export function linkedWorktree(repository: Repository, isOurs: (folder: string) => boolean): string | undefined {
  const notes = join(repository.commonDir, "worktrees");
  if (!entryAt(notes)?.isDirectory()) return undefined;
  const found = readdirSync(notes).find((name) => {
    const folder = folderNamedIn(join(notes, name, "gitdir"));
    return folder !== undefined && isOurs(folder);
  });
  return found === undefined ? undefined : join(notes, found);
}

/** Another run may be removing its own worktree at this moment, so what was there may be gone. */
function folderNamedIn(pointer: string): string | undefined {
  if (!entryAt(pointer)?.isFile()) return undefined;
  try {
    return dirname(readFileSync(pointer, "utf8").trimEnd());
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
