// Finds the repository a folder belongs to by reading files only; git itself is never asked.
import { readFileSync, realpathSync, type Stats } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { entryAt, targetAt } from "../system/index.ts";
import { fail } from "../../core/contract/index.ts";

export interface Repository {
  /** Top of the work tree, real path. */
  readonly top: string;
  /** The folder with HEAD and index: `.git`, or what a `.git` file points to. */
  readonly gitDir: string;
  /** The folder with config, hooks, refs and objects; the same as gitDir but for linked worktrees. */
  readonly commonDir: string;
  /** Where new objects go instead, while a gc may be beside us; see `aside.ts`. */
  readonly aside?: { readonly objects: string; readonly keeps: string[] };
}

const pointerLimit = 8192;

function stat(path: string): Stats | undefined {
  return targetAt(path);
}

/** The content of a one-line pointer file of git (`.git`, `commondir`); undefined for any other file. */
function readPointer(path: string): string | undefined {
  const found = entryAt(path);
  if (!found?.isFile() || found.size > pointerLimit) return undefined;
  return readFileSync(path, "utf8").replace(/[\r\n]+$/, "");
}

function looksLikeGitDir(gitDir: string, commonDir: string): boolean {
  return (
    entryAt(join(gitDir, "HEAD")) !== undefined &&
    stat(join(commonDir, "objects"))?.isDirectory() === true &&
    stat(join(commonDir, "refs")) !== undefined
  );
}

function gitDirOf(top: string): string | undefined {
  const dotGit = join(top, ".git");
  const found = stat(dotGit);
  if (!found) return undefined;
  if (found.isDirectory()) return realpathSync.native(dotGit);
  const pointer = readPointer(dotGit);
  if (!pointer?.startsWith("gitdir: ")) return undefined;
  const target = resolve(top, pointer.slice("gitdir: ".length));
  return stat(target)?.isDirectory() ? realpathSync.native(target) : undefined;
}

/** The shared folder of a git folder; undefined for any other folder. */
export function commonDirOf(gitDir: string): string | undefined {
  const pointer = readPointer(join(gitDir, "commondir"));
  const common = pointer === undefined ? gitDir : isAbsolute(pointer) ? pointer : join(gitDir, pointer);
  if (!stat(common)?.isDirectory()) return undefined;
  const commonDir = realpathSync.native(common);
  return looksLikeGitDir(gitDir, commonDir) ? commonDir : undefined;
}

/** The repository of a git folder we already know, for worktrees whose `.git` file is not to be trusted. */
function repositoryAt(top: string, gitDir: string): Repository | undefined {
  const commonDir = commonDirOf(gitDir);
  return commonDir === undefined ? undefined : { top, gitDir, commonDir };
}

/** The repository whose work tree has its top exactly here. */
export function repositoryIn(top: string): Repository | undefined {
  if (!targetAt(top)?.isDirectory()) return undefined;
  const real = realpathSync.native(top);
  const gitDir = gitDirOf(real);
  return gitDir === undefined ? undefined : repositoryAt(real, gitDir);
}

/** The innermost work tree that holds `dir`, or undefined outside of any. */
export function findRepository(dir: string): Repository | undefined {
  const start = stat(dir);
  if (!start) return undefined;
  let top = realpathSync.native(start.isDirectory() ? dir : dirname(dir));
  for (;;) {
    const gitDir = gitDirOf(top);
    const found = gitDir === undefined ? undefined : repositoryAt(top, gitDir);
    if (found) return found;
    const parent = dirname(top);
    if (parent === top) return undefined;
    top = parent;
  }
}

export function requireRepository(dir: string): Repository {
  return (
    findRepository(dir) ??
    fail("not_a_repository", `${dir} is not inside a git work tree.`, {
      remedy: "Point --repo at a git checkout, or make one with: git init && git add -A && git commit",
    })
  );
}
