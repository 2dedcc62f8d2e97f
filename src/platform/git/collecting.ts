// Whether a `git gc`, `git prune` or `git repack` works in a repository at this moment.
import { closeSync, openSync, readFileSync, readlinkSync, readSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";
import { entryAt, processIds, systemCode } from "../system/index.ts";
import { linkedWorktree } from "./linked-worktrees.ts";
import { commonDirOf, findRepository, type Repository } from "./locate.ts";

/** By the file of `git gc`, which git itself no longer believes after twelve hours. */
export function gcRuns({ commonDir }: Repository): boolean {
  const file = entryAt(join(commonDir, "gc.pid"));
  return file !== undefined && Date.now() - file.mtimeMs < 12 * 3_600_000;
}

/** `git prune` and `git repack` leave no file that says it: they are found among the processes, where these can be read. */
export function isCollecting(repository: Repository): boolean {
  return processIds().some((pid) => {
    try {
      // The folder of git's own programs has a hyphen as well: only the name of the program counts.
      const [program = "", ...words] = commandLine(pid);
      const isCollector = basename(program) !== "git" || words.some((word) => collects.has(word));
      return program !== "" && isCollector && !isElsewhere(pid, words, repository);
    } catch (error) {
      // It ended meanwhile, or it is not ours to read.
      if (systemCode(error) === undefined) throw error;
      return false;
    }
  });
}

const collects = new Set(["prune", "repack", "gc", "prune-packed"]);

/** One for every process: there may be hundreds, and hardly any of them is git. */
const page = Buffer.alloc(4096);

/** The words of a process that may collect; none for any other. */
function commandLine(pid: number): string[] {
  const path = `/proc/${pid}/cmdline`;
  const length = readStart(path);
  const end = page.subarray(0, length).indexOf(0);
  if (!/(^|\/)git(-prune|-repack)?$/.test(page.toString("latin1", 0, end < 0 ? length : end))) return [];
  return (length < page.length ? page.toString("latin1", 0, length) : readFileSync(path, "latin1")).split("\0");
}

function readStart(path: string): number {
  const fd = openSync(path, "r");
  try {
    return readSync(fd, page, 0, page.length, null);
  } finally {
    closeSync(fd);
  }
}

/** The process works in another repository for certain. Objects of ours may also lie in one that we borrow from. */
function isElsewhere(pid: number, words: readonly string[], repository: Repository): boolean {
  const { commonDir } = repository;
  const variables = readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
  if (variables.some((variable) => /^GIT_(COMMON_DIR|OBJECT_DIRECTORY)=/.test(variable))) return false;
  const folder = readlinkSync(`/proc/${pid}/cwd`);
  if (isWithin(commonDir, folder)) return false;
  const named = gitDirNamed(words, variables);
  if (isRemoved(folder) && (named === undefined || named === "."))
    return !wasOurs(folder.slice(0, -removed.length), repository);
  const other = named === undefined ? commonDirAround(folder) : commonDirNamed(named, folder);
  return other !== undefined && other !== commonDir && !entryAt(join(commonDir, "objects", "info", "alternates"));
}

/** The git folder that its words or its variables name; the words count for more. */
function gitDirNamed(words: readonly string[], variables: readonly string[]): string | undefined {
  const at = words.findIndex((word) => word === "--git-dir" || word.startsWith("--git-dir="));
  const word = words[at] === "--git-dir" ? words[at + 1] : words[at]?.slice("--git-dir=".length);
  return word ?? variables.find((variable) => variable.startsWith("GIT_DIR="))?.slice("GIT_DIR=".length);
}

/** Any other relative name may have been said from another folder than the one the process is in now. */
const commonDirNamed = (named: string, folder: string): string | undefined =>
  isAbsolute(named) || named === "." ? commonDirOf(resolve(folder, named)) : undefined;

/** Of the repository around a folder, with or without a work tree. */
function commonDirAround(folder: string): string | undefined {
  const found = findRepository(folder)?.commonDir;
  if (found !== undefined) return found;
  for (let at = folder; ; at = dirname(at)) {
    const bare = commonDirOf(at);
    if (bare !== undefined || at === dirname(at)) return bare;
  }
}

/** What the system writes behind the name of a folder that was removed below a process. */
const removed = " (deleted)";
const isRemoved = (folder: string): boolean => folder.endsWith(removed) && entryAt(folder) === undefined;

const isWithin = (folder: string, path: string): boolean => path === folder || path.startsWith(`${folder}${sep}`);

/** The git of a folder that was removed finds no repository. It had found ours if that folder was in a work tree of ours. */
function wasOurs(folder: string, repository: Repository): boolean {
  const { top, commonDir } = repository;
  const tops = basename(commonDir) === ".git" ? [top, dirname(commonDir)] : [top];
  const isInside = (tree: string): boolean => isWithin(tree, folder);
  return tops.some(isInside) || linkedWorktree(repository, isInside) !== undefined;
}
