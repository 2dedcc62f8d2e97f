// A repository that was renamed, copied or restored takes its worktrees along: git's two pointers and our record name the old
// path. They are written anew, so that a run goes on, and so that a copy never uses the git folder of the original.
import { lstatSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Repository } from "../../../platform/git/index.ts";
import { entryAt, syncFile } from "../../../platform/system/index.ts";
import { readRecord, writeRecord, type WorktreeLocation, type WorktreeRecord } from "./record.ts";

/** The record of a worktree, after the pointers of a repository at a new path are written anew. */
export function recordHere(repository: Repository, location: WorktreeLocation): WorktreeRecord | undefined {
  const record = readRecord(location);
  if (record?.top === undefined || record.top === repository.top) return record;
  const adminDir = join(repository.commonDir, "worktrees", basename(record.adminDir));
  const isThere = record.adminDir !== "" && entryAt(adminDir)?.isDirectory() === true;
  // A link in place of the folder is not ours: what reads the worktree later refuses it.
  const folder = entryAt(location.path);
  if (isThere) rewrite(join(adminDir, "gitdir"), `${join(location.path, ".git")}\n`);
  if (isThere && folder?.isDirectory() === true) rewrite(join(location.path, ".git"), `gitdir: ${adminDir}\n`);
  const inode = folder?.isDirectory() === true ? lstatSync(location.path).ino : record.inode;
  const moved = { ...record, adminDir: isThere ? adminDir : record.adminDir, inode, top: repository.top };
  rmSync(location.shown, { force: true });
  if (folder) symlinkSync(location.path, location.shown, "junction");
  writeRecord(location, moved);
  return moved;
}

/** A crash on the way is repaired by the next call: the record is written last. A folder that a worker made is left. */
function rewrite(file: string, text: string): void {
  if (entryAt(file)?.isDirectory() === true) return;
  rmSync(file, { force: true });
  writeFileSync(file, text, { flag: "wx" });
  syncFile(file);
}
