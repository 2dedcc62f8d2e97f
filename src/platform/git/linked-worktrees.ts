// git's own notes about linked worktrees. Not `git worktree prune`: that would also forget worktrees of the user whose
// disk happens to be away.
import { readFileSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { entryAt, systemCode } from "../system/index.ts";
import type { Repository } from "./locate.ts";

/**
 * Makes git forget the worktrees that `isOurs` names by their folder. They are found from git's side, because a folder
 * half removed no longer says where its note lies. Interrupted at any point it can be done again: the file that
 * names the worktree goes last.
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
export function linkedWorktree(
  repository: Repository,
  isOurs: (folder: string) => boolean,
): string | undefined {
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
