// `.worktreeinclude` names files that git ignores and that a worker needs all the same, such as local settings. They are copied
// into its folder, and never become part of its work.
import { copyFileSync, lstatSync, readFileSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";
import { fromBytePath, git, isUtf8, joinRecords, splitRecords, type Repository } from "../../../platform/git/index.ts";
import { ensureFolder } from "../../../platform/system/index.ts";

const name = ".worktreeinclude";
const most = { files: 200, bytes: 1 << 20, list: 64 << 10 };
const never = /^(?:\.git|\.thehood|\.thehood-work|node_modules)(?:\/|$)/;

const statOf = (path: string): Stats | undefined => lstatSync(path, { throwIfNoEntry: false });

const fits = (path: string, bytes: number): boolean => {
  const found = statOf(path);
  return found?.isFile() === true && found.size <= bytes;
};

/** Files of the checkout that the list names and git ignores; files that it tracks are in a worktree anyway. */
export async function includedFiles(repository: Repository): Promise<readonly string[]> {
  const list = join(repository.top, name);
  if (!fits(list, most.list)) return [];
  const named = splitRecords((await git(repository, ["ls-files", "-z", "-o", "-i", `--exclude-from=${list}`])).stdout);
  if (named.length === 0) return [];
  const paths = named.filter((path) => isUtf8(path) && !path.endsWith("/"));
  const stdin = joinRecords(paths);
  const { stdout } = await git(repository, ["check-ignore", "-z", "--stdin"], { stdin, accept: [0, 1] });
  return splitRecords(stdout)
    .map(fromBytePath)
    .filter((path) => !never.test(path) && fits(join(repository.top, path), most.bytes))
    .slice(0, most.files);
}

/** A folder of the base commit may be a link that leads elsewhere: nothing is written through one. */
function isInside(workTree: string, path: string): boolean {
  const segments = dirname(path)
    .split("/")
    .filter((segment) => segment !== ".");
  return segments.every((_, at) => {
    const found = statOf(join(workTree, ...segments.slice(0, at + 1)));
    return found === undefined || found.isDirectory();
  });
}

/** What is there already stays as it is. */
export async function copyIncluded(repository: Repository, workTree: string): Promise<void> {
  for (const path of await includedFiles(repository)) {
    if (statOf(join(workTree, path)) || !isInside(workTree, path)) continue;
    let level = workTree;
    for (const segment of dirname(path).split("/")) if (segment !== ".") ensureFolder((level = join(level, segment)));
    copyFileSync(join(repository.top, path), join(workTree, path));
  }
}

const assigned = /^\s*(?:export\s+)?["']?[A-Za-z_][\w.-]*["']?\s*[=:]\s*(.+?)\s*,?\s*$/;
const unquoted = (text: string): string => /^(["'])(.*)\1$/.exec(text)?.[2] ?? text;
const isPlain = (value: string): boolean =>
  /^(?:[a-z]+|[A-Z]+|\d{1,11}|(?:https?:\/\/)?(?:localhost|127\.0\.0\.1)(?:[:/][^@]*)?)$/.test(value);

/** The values that these files assign. Words, numbers and addresses of this machine would be found everywhere. */
export const valuesIn = (text: string): string[] =>
  text.split("\n").flatMap((line) => {
    const value = unquoted(assigned.exec(line)?.[1] ?? "");
    return value.length >= 8 && value.length <= 4_000 && !isPlain(value) ? [value] : [];
  });

export async function includedValues(repository: Repository): Promise<readonly string[]> {
  const texts = (await includedFiles(repository)).map((path) => readFileSync(join(repository.top, path), "utf8"));
  return [...new Set(texts.flatMap(valuesIn))];
}
