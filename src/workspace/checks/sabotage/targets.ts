// Reads from git what a control needs: the changed source with its hunks, and the tests.
import { classifyPath, type Hunk, parsePatch } from "../../../core/patch/index.ts";
import { diffTrees } from "../../checkout/worktree/index.ts";
import { listTree, readBlobs, type Repository, type TreeEntry } from "../../../platform/git/index.ts";
import type { Edit } from "../tree.ts";
import { isCode, languageOf } from "./language.ts";
import type { TestText } from "./known-values.ts";
import type { ChangedFile } from "./plan.ts";

export const mostFiles = 40;
const mostChanged = 200;
const mostBytes = 2_000_000;

type Entries = ReadonlyMap<string, TreeEntry>;

export async function entriesOf(repository: Repository, tree: string): Promise<Entries> {
  const all = await listTree(repository, tree);
  return new Map(all.filter(({ mode }) => mode.startsWith("100")).map((entry) => [entry.path, entry]));
}

export async function textOf(repository: Repository, entry: TreeEntry | undefined): Promise<string | null> {
  if (!entry) return null;
  const [bytes] = await readBlobs(repository, [entry.object]);
  // A NUL in a source makes it binary for git, but the source still runs.
  const isText = bytes?.includes(0) === false || languageOf(entry.path) !== null;
  return bytes && bytes.length <= mostBytes && isText ? bytes.toString("utf8") : null;
}

/** Every file that the work changes or adds. */
export async function changedFiles(repository: Repository, base: string, tree: string): Promise<string[]> {
  const [old, now] = [await entriesOf(repository, base), await entriesOf(repository, tree)];
  return [...now.values()].filter(({ path, object }) => old.get(path)?.object !== object).map(({ path }) => path);
}

/** Source that the work changes or adds: neither protected nor documentation. `left`: too long, or too many. */
export async function changedSource(
  repository: Repository,
  base: string,
  tree: string,
): Promise<{ readonly files: readonly ChangedFile[]; readonly left: readonly string[] }> {
  const [old, now] = [await entriesOf(repository, base), await entriesOf(repository, tree)];
  const { sections } = parsePatch(await diffTrees(repository, base, tree)).patch;
  const own = sections.flatMap(({ newPath, body }) =>
    newPath === null || isNoSource(newPath) ? [] : [{ newPath, body }],
  );
  // One call for all of them: git remembers the answers.
  const both = own
    .slice(0, mostChanged)
    .flatMap(({ newPath }) => [now.get(newPath)?.object ?? [], old.get(newPath)?.object ?? []].flat());
  await readBlobs(repository, both);
  const files: ChangedFile[] = [];
  const left: string[] = [];
  for (const { newPath, body } of own) {
    const after = files.length < mostChanged ? await textOf(repository, now.get(newPath)) : null;
    if (after === null) {
      if (body.kind === "hunks" || languageOf(newPath) !== null) left.push(newPath);
      continue;
    }
    const before = await textOf(repository, old.get(newPath));
    files.push({
      path: newPath,
      before,
      after,
      hunks: body.kind === "hunks" ? body.hunks.map(changedLines) : [],
    });
  }
  return { files, left };
}

function isNoSource(path: string): boolean {
  const { protected: guarded, kinds } = classifyPath(path);
  return guarded || kinds.includes("docs");
}

/** The lines of a hunk without the unchanged ones at its ends. */
function changedLines(hunk: Hunk): ChangedFile["hunks"][number] {
  const lines = hunk.body.split("\n").filter((line) => /^[ +-]/.test(line));
  const first = lines.findIndex((line) => !line.startsWith(" "));
  const last = lines.length - 1 - lines.findLastIndex((line) => !line.startsWith(" "));
  const trim = ({ start, count }: { start: number; count: number }) => {
    const left = Math.max(0, count - first - last);
    return { start: count === 0 ? start : left === 0 ? start + first - 1 : start + first, count: left };
  };
  return { old: trim(hunk.old), new: trim(hunk.new) };
}

export const isTest = (path: string): boolean => {
  const { kinds } = classifyPath(path);
  return kinds.includes("test") && isCode(path);
};

/** The tests of the work, those that are named after a changed file first. */
export async function testTexts(
  repository: Repository,
  tree: string,
  changed: readonly ChangedFile[],
): Promise<TestText[]> {
  const now = await entriesOf(repository, tree);
  const paths = [...now.keys()].filter(isTest).toSorted(byName(changed)).slice(0, mostFiles);
  const texts: TestText[] = [];
  for (const path of paths) {
    const text = await textOf(repository, now.get(path));
    if (text !== null) texts.push({ path, text });
  }
  return texts;
}

function byName(changed: readonly ChangedFile[]): (a: string, b: string) => number {
  const stems = changed.map(({ path }) => stemOf(path));
  const rank = (path: string): number => (stems.some((stem) => path.includes(stem)) ? 0 : 1);
  return (a, b) => rank(a) - rank(b) || (a < b ? -1 : 1);
}

export const stemOf = (path: string): string => path.split("/").at(-1)?.split(".")[0] ?? path;

/** The tests that the work adds or changes, to be laid over the base commit. Each is written whole. */
export async function changedTests(repository: Repository, base: string, tree: string): Promise<Edit[]> {
  const [old, now] = [await entriesOf(repository, base), await entriesOf(repository, tree)];
  const edits: Edit[] = [];
  for (const entry of now.values()) {
    const { kinds } = classifyPath(entry.path);
    if (old.get(entry.path)?.object === entry.object || !/test|fixture|snapshot/.test(kinds.join(" "))) continue;
    const text = await textOf(repository, entry);
    if (text !== null && edits.length < mostFiles) edits.push({ path: entry.path, text });
  }
  return edits;
}
