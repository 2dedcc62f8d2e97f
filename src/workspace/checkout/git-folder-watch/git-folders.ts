// Finds every git folder inside a repository's git folder: its own, and those of linked worktrees and submodules.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { entryAt } from "../../../platform/system/index.ts";

interface GitFolder {
  /** Below the common git folder; "" is that folder itself. */
  readonly path: string;
  /** The folder of a linked worktree. Such folders come and go in honest work. */
  readonly linked: boolean;
}

/** Submodules nest, and so do the names of submodules; a worker must not send this search down without an end. */
const maxDepth = 16;

export function gitFoldersIn(commonDir: string): GitFolder[] {
  return insideOf(commonDir, { path: "", linked: false }, 0);
}

function insideOf(base: string, folder: GitFolder, depth: number): GitFolder[] {
  if (depth > maxDepth) return [];
  const worktrees = foldersIn(base, below(folder.path, "worktrees"));
  return [
    folder,
    ...worktrees.flatMap((path) => insideOf(base, { path, linked: true }, depth + 1)),
    ...submodulesIn(base, below(folder.path, "modules"), folder.linked, depth + 1),
  ];
}

/** The git folder of a submodule lies as deep as its name has slashes. */
function submodulesIn(base: string, path: string, linked: boolean, depth: number): GitFolder[] {
  if (depth > maxDepth) return [];
  return foldersIn(base, path).flatMap((inner) =>
    entryAt(join(base, inner, "HEAD"))
      ? insideOf(base, { path: inner, linked }, depth)
      : submodulesIn(base, inner, linked, depth + 1),
  );
}

/** Links are not followed: git makes none here. */
function foldersIn(base: string, path: string): string[] {
  if (entryAt(join(base, path))?.isDirectory() !== true) return [];
  return readdirSync(join(base, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => below(path, entry.name))
    .toSorted();
}

export const below = (folder: string, name: string): string => (folder === "" ? name : `${folder}/${name}`);
