// Every file below a root that ignore rules let through: as git lists them, or by walking where there is no git.
import { type Dirent, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ignore, { type Ignore } from "ignore";
import {
  findRepository,
  fromBytePath,
  git,
  isUtf8,
  type Repository,
  splitRecords,
} from "../../../platform/git/index.ts";
import { fail } from "../../../core/contract/index.ts";
import { isGitName, isStateName } from "../../../platform/paths/index.ts";
import type { Excluded } from "../shapes.ts";

export interface Listing {
  /** Below the root, with `/`, each once. Links and folders of nested repositories are among them. */
  readonly paths: readonly string[];
  /** Ignored files, ignored folders with a slash at the end, and names that are not UTF-8. */
  readonly excluded: readonly Excluded[];
}

export async function listFiles(root: string, signal?: AbortSignal): Promise<Listing> {
  const repository = findRepository(root);
  return repository ? await listByGit(repository, root, signal) : walk(root);
}

async function listByGit(repository: Repository, root: string, signal: AbortSignal | undefined): Promise<Listing> {
  const prefix = root === repository.top ? "" : `${root.slice(repository.top.length + 1)}/`;
  const where = prefix === "" ? [] : ["--", prefix];
  const options = signal ? { signal } : {};
  const ask = async (...flags: string[]) => {
    const args = ["ls-files", "-z", ...flags, "--exclude-standard", ...where];
    return splitRecords((await git(repository, args, options)).stdout);
  };
  const [tracked, others, held] = await Promise.all([
    ask("--cached"),
    ask("--others"),
    ask("--others", "--ignored", "--directory"),
  ]);
  // Untracked packages and caches are left out, also where no rule of the repository ignores them.
  const [heavyOnes, light] = partition(others, (path) => heavyFolder(fromBytePath(path)) !== undefined);
  const listed = [...tracked, ...light];
  const ours = (paths: readonly string[]) =>
    [...new Set(paths)]
      .filter((path) => fromBytePath(path).startsWith(prefix))
      .map((path) => ({ path, name: fromBytePath(path).slice(prefix.length) }));
  const all = ours(listed);
  const ignoredOnes = ours(held).map(({ name }) => name);
  return {
    paths: all.filter(({ path }) => isUtf8(path)).map(({ name }) => name),
    excluded: [
      ...all.filter(({ path }) => !isUtf8(path)).map(({ name }) => ({ path: name, reason: "path_not_utf8" as const })),
      ...ignoredOnes.map((path) => ({ path, reason: "ignored" as const })),
      // git lists neither special files nor repositories inside, and skips a folder that it may not read.
      ...unlisted(root, new Set(ignoredOnes), repository.top === root),
      ...[...new Set(ours(heavyOnes).map(({ name }) => heavyFolder(name) ?? name))].map((path) => ({
        path,
        reason: "ignored" as const,
      })),
    ],
  };
}

/** Folders that are always left out unless they are tracked. */
const heavy = new Set(["node_modules", ".venv", "__pycache__", ".cache"]);
const mostFiles = 200_000;

/** The outermost such folder of a path, with a slash at its end. */
function heavyFolder(path: string): string | undefined {
  const names = path.split("/");
  const at = names.slice(0, -1).findIndex((name) => heavy.has(name));
  return at < 0 ? undefined : `${names.slice(0, at + 1).join("/")}/`;
}

function partition<T>(list: readonly T[], goesFirst: (one: T) => boolean): [T[], T[]] {
  return [list.filter(goesFirst), list.filter((one) => !goesFirst(one))];
}

interface Rules {
  readonly base: string;
  readonly rules: Ignore;
}

const tooMany = (): never =>
  fail("invalid_input", `There are more than ${mostFiles} files here.`, {
    remedy: "Name the folders you mean with --file, or run it in a git repository.",
  });

function walk(root: string): Listing {
  const paths: string[] = [];
  const excluded: Excluded[] = [];
  const visit = (folder: string, inherited: readonly Rules[]): void => {
    const rules = [...inherited, ...rulesOf(root, folder)];
    const entries = entriesOf(join(root, folder));
    if (entries === undefined) return void excluded.push({ path: `${folder}/`, reason: "not_readable" });
    for (const entry of entries) {
      if (paths.length >= mostFiles) return tooMany();
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      const isFolder = entry.isDirectory();
      if (isGitName(entry.name) || isStateName(entry.name)) continue;
      if (isIgnored(isFolder ? `${path}/` : path, rules) || (isFolder && heavy.has(entry.name))) {
        excluded.push({ path: isFolder ? `${path}/` : path, reason: "ignored" });
      } else if (isFolder) visit(path, rules);
      else paths.push(path);
    }
  };
  visit("", []);
  return { paths, excluded };
}

function unlisted(root: string, ignored: ReadonlySet<string>, isTop: boolean): Excluded[] {
  const found: Excluded[] = [];
  const visit = (folder: string): void => {
    if (folder !== "" && ignored.has(folder)) return;
    const entries = entriesOf(join(root, folder));
    if (entries === undefined) found.push({ path: folder, reason: "not_readable" });
    for (const entry of entries ?? []) {
      const path = `${folder}${entry.name}`;
      if (isGitName(entry.name) && !(folder === "" && isTop))
        found.push({ path: entry.isDirectory() ? `${path}/` : path, reason: "git_dir" });
      else if (entry.isDirectory() && !isGitName(entry.name) && !isStateName(entry.name) && !heavy.has(entry.name))
        visit(`${path}/`);
      else if (!entry.isFile() && !entry.isDirectory() && !entry.isSymbolicLink() && !ignored.has(path))
        found.push({ path, reason: "not_regular" });
    }
  };
  visit("");
  return found;
}

/** What a folder answers that cannot be read: for this user, on a broken disk, or in a file system of the kernel. */
const unreadable = new Set(["EACCES", "EPERM", "ENOENT", "ENOTDIR", "EINVAL", "EIO", "ELOOP", "ESRCH"]);

function entriesOf(folder: string): Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (unreadable.has((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}

function rulesOf(root: string, folder: string): Rules[] {
  try {
    const text = readFileSync(join(root, folder, ".gitignore"), "utf8");
    return [{ base: folder === "" ? "" : `${folder}/`, rules: ignore().add(text) }];
  } catch (error) {
    // No rules here, or rules that cannot be read.
    if (["ENOENT", "EISDIR", "EACCES", "ELOOP"].includes((error as NodeJS.ErrnoException).code ?? "")) return [];
    throw error;
  }
}

/** The innermost matching rule decides. */
function isIgnored(path: string, all: readonly Rules[]): boolean {
  for (const { base, rules } of all.toReversed()) {
    const { ignored, unignored } = rules.test(path.slice(base.length));
    if (ignored) return true;
    if (unignored) return false;
  }
  return false;
}
