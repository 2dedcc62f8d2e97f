// The files that the repository's commit helper runs: those that it names, and those that its own scripts name. The helper
// runs after the patch is in the tree, so a change of one of them is a program of the model that runs at once.
import { lstatSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Repository } from "../../../platform/git/index.ts";
import { git, fromBytePath, splitRecords } from "../../../platform/git/index.ts";
import { committerPath, hasHelper } from "./committer.ts";

const mostScripts = 200;
const longestScript = 256 * 1024;

/** Words of a script that can be a path: letters, digits and the marks of file names, with slashes between. */
const words = (text: string): Set<string> =>
  new Set(
    (text.match(/[\p{L}\p{N}._@+-]+(?:\/[\p{L}\p{N}._@+-]+)*/gu) ?? []).map((word) => word.replace(/^(?:\.\/)+/, "")),
  );

/** Folders of which a script names files by a pattern, as in `scripts/*.sh`. */
const folders = (text: string): string[] =>
  [...text.matchAll(/([\p{L}\p{N}._@+-]+(?:\/[\p{L}\p{N}._@+-]+)*)\/[^\s"';|&]*[*?]/gu)].map(
    (match) => `${(match[1] ?? "").replace(/^(?:\.\/)+/, "")}/`,
  );

interface Named {
  readonly words: ReadonlySet<string>;
  readonly folders: readonly string[];
}

const named = (path: string, { words: all, folders: inside }: Named): boolean =>
  all.has(path) ||
  (basename(path).length > 2 && all.has(basename(path))) ||
  [...all].some((word) => word.includes("/") && (path.endsWith(`/${word}`) || word.endsWith(`/${path}`))) ||
  inside.some((folder) => path.startsWith(folder) || path.includes(`/${folder}`));

/** The text of a script: executable, or with `#!` at its start. */
function scriptText(top: string, path: string): string | undefined {
  const file = join(top, path);
  const there = lstatSync(file, { throwIfNoEntry: false });
  if (!there?.isFile() || there.size > longestScript) return undefined;
  const text = readFileSync(file, "utf8");
  return (there.mode & 0o111) !== 0 || text.startsWith("#!") ? text : undefined;
}

/** What the helper names, directly or through its scripts; null when there is no helper. */
async function namedByHelper(repository: Repository): Promise<Named | null> {
  if (!(await hasHelper(repository))) return null;
  const listed = await git(repository, ["ls-files", "-z", "--cached"]);
  const tracked = splitRecords(listed.stdout).map(fromBytePath);
  const all = new Set<string>();
  const inside: string[] = [];
  const done = new Set<string>();
  const queue = [committerPath];
  /** Each is in the queue once, however many scripts name its folder. */
  const asked = new Set<string>(queue);
  for (let path = queue.shift(); path !== undefined && done.size < mostScripts; path = queue.shift()) {
    if (done.has(path)) continue;
    done.add(path);
    const text = scriptText(repository.top, path);
    if (text === undefined) continue;
    const own: Named = { words: words(text), folders: folders(text) };
    for (const word of own.words) all.add(word);
    for (const folder of own.folders) inside.push(folder);
    for (const other of tracked)
      if (!asked.has(other) && named(other, own)) {
        asked.add(other);
        queue.push(other);
      }
  }
  return { words: all, folders: inside };
}

/** Of the changed paths those that the helper would run, itself included. */
export async function runByHelper(repository: Repository, changed: readonly string[]): Promise<string[]> {
  const found = await namedByHelper(repository);
  return changed.filter((path) => path === committerPath || (found !== null && named(path, found)));
}
