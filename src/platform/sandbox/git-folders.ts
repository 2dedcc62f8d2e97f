// Finds the git folders that a program could reach from a folder. It only reads files and runs no git.
import { existsSync, lstatSync, readFileSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

interface GitPlaces {
  /** Top folders of work trees that enclose or own the start folder. */
  readonly tops: readonly string[];
  /** `.git` entries, linked git folders and common git folders. */
  readonly folders: readonly string[];
}

const pointerLimit = 4096;
const nestedDepth = 3;
const nestedLimit = 2000;

function read(path: string): string | undefined {
  try {
    if (!statSync(path).isFile() || statSync(path).size > pointerLimit) return undefined;
    return readFileSync(path, "utf8").trim();
  } catch {
    return undefined;
  }
}

const isGitFolder = (path: string) => existsSync(join(path, "HEAD"));

function real(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** Follows `.git` files to the linked folder and its common folder. A link counts only when the other end names this
 * work tree as well, since a program that writes the work tree could point its `.git` file anywhere. */
function follow(dotGit: string): { folders: string[]; tops: string[] } {
  const text = read(dotGit);
  const target = text?.match(/^gitdir: (.+)$/)?.[1];
  const linked = target === undefined ? undefined : real(resolve(dirname(dotGit), target));
  if (linked === undefined || !isGitFolder(linked)) return { folders: [], tops: [] };
  const back = read(join(linked, "gitdir"));
  if (back === undefined || real(resolve(linked, back)) !== real(dotGit)) return { folders: [], tops: [] };
  const common = real(resolve(linked, read(join(linked, "commondir")) ?? "."));
  if (common === undefined || dirname(linked) !== join(common, "worktrees") || !isGitFolder(common))
    return { folders: [], tops: [] };
  return { folders: [common], tops: basename(common) === ".git" ? [dirname(common)] : [] };
}

/** The repository around `start`, by walking up as git does. */
export function findGitFolders(start: string): GitPlaces {
  const tops: string[] = [];
  const folders: string[] = [];
  for (let at = start; ; at = dirname(at)) {
    const dotGit = join(at, ".git");
    const kind = lstatSync(dotGit, { throwIfNoEntry: false });
    if (kind?.isDirectory() && isGitFolder(dotGit)) {
      return { tops: [...tops, at], folders: [...folders, dotGit] };
    }
    if (kind?.isFile()) {
      const found = follow(dotGit);
      return {
        tops: [...tops, at, ...found.tops],
        folders: [...folders, dotGit, ...found.folders],
      };
    }
    if (dirname(at) === at) return { tops, folders };
  }
}

/** `.git` entries that exist below a folder, not deep: submodules and nested checkouts. */
export function nestedGitEntries(folder: string): string[] {
  const found: string[] = [];
  let seen = 0;
  const walk = (at: string, depth: number) => {
    let entries;
    try {
      entries = readdirSync(at, { withFileTypes: true });
    } catch {
      return;
    }
    for (const entry of entries) {
      if ((seen += 1) > nestedLimit) return;
      if (entry.name === ".git") found.push(join(at, entry.name));
      else if (entry.isDirectory() && depth > 1 && entry.name !== "node_modules") walk(join(at, entry.name), depth - 1);
    }
  };
  walk(folder, nestedDepth);
  return found;
}
