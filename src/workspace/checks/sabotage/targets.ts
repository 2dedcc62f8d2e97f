// Reads from git what a control needs: the changed source with its hunks, and tests of the base to plant a failure in.
import { randomInt } from "node:crypto";
import type { CheckSpec } from "../../../core/contract/index.ts";
import { classifyPath, type Hunk, parsePatch } from "../../../core/patch/index.ts";
import { diffTrees } from "../../checkout/worktree/index.ts";
import { listTree, readBlobs, type Repository, type TreeEntry } from "../../../platform/git/index.ts";
import type { Edit } from "../tree.ts";
import { failingFiles, type Planted, wrongExpectations, wrongInBoth } from "./canary.ts";
import { isCode, languageOf, codeOnly, type Language } from "./language.ts";
import type { TestText } from "./known-values.ts";
import type { ChangedFile, Sabotage } from "./plan.ts";

const mostFiles = 40;
const mostChanged = 200;
const mostBytes = 2_000_000;
const mostExpectations = 3;

type Entries = ReadonlyMap<string, TreeEntry>;

async function entriesOf(repository: Repository, tree: string): Promise<Entries> {
  const all = await listTree(repository, tree);
  return new Map(all.filter(({ mode }) => mode.startsWith("100")).map((entry) => [entry.path, entry]));
}

async function textOf(repository: Repository, entry: TreeEntry | undefined): Promise<string | null> {
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

const isTest = (path: string): boolean => {
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

const stemOf = (path: string): string => path.split("/").at(-1)?.split(".")[0] ?? path;

/** Tests that both trees hold alike, those about the changed files first. */
export async function canariesFor(
  repository: Repository,
  base: string,
  tree: string,
  spec: Pick<CheckSpec, "cwd" | "files">,
  changed: readonly ChangedFile[],
): Promise<{ readonly canaries: readonly Sabotage[]; readonly alone?: Sabotage | undefined }> {
  const [old, now] = [await entriesOf(repository, base), await entriesOf(repository, tree)];
  const below = spec.cwd === "" ? "" : `${spec.cwd}/`;
  const named = new Set(spec.files ?? []);
  const stems = changed.map(({ path }) => stemOf(path));
  const inline = changed.map(({ path }) => path).filter((path) => path.endsWith(".rs"));
  // A file that the command names is run for certain.
  const rank = (path: string): number =>
    (named.has(path) ? -4 : 0) +
    (stems.some((stem) => path.includes(stem)) ? 0 : 2) +
    (/(?:^|[._-])(?:test|spec)/i.test(path.split("/").at(-1) ?? "") ? 0 : 1);
  const isNamed = (path: string) => named.has(path) && isCode(path);
  const tests = [...old.values()]
    .filter(
      ({ path, object }) =>
        path.startsWith(below) && (isTest(path) || isNamed(path)) && now.get(path)?.object === object,
    )
    .map(({ path }) => path)
    .toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  const own = changed.flatMap(inItself);
  if (own.length > 0) return { canaries: own, alone: changed.flatMap(aloneInItself)[0] };
  for (const path of [...tests, ...rustTests(old, below, inline)].slice(0, mostFiles)) {
    const text = await textOf(repository, now.get(path));
    if (text === null || (path.endsWith(".rs") && !/#\[(?:\w+::)*test\]/.test(text))) continue;
    // A line may only look like an expectation; another one is tried where nothing notices the first.
    const wrong = wrongExpectations(path, text, randomInt(2, 60)).slice(0, mostExpectations);
    const planted = [...wrong, ...failingFiles(path, text)].map((one) => plantedIn(path, one));
    if (planted.length > 0) return { canaries: planted, alone: leftAlone(path, text, text) };
  }
  return { canaries: [] };
}

const plantedIn = (path: string, made: Planted): Sabotage => ({
  what: `${made.what} planted in ${path}:${made.line}`,
  edits: [{ path, text: made.text }],
  onBase: [{ path, text: made.text }],
  reach: false,
  ...(made.equal ? { equal: true } : {}),
  ...(made.loads ? { loads: true } : {}),
});

function leftAlone(path: string, before: string, after: string): Sabotage | undefined {
  const lines = randomInt(2, 60);
  const [old, now] = [lastTestAlone(path, before, lines), lastTestAlone(path, after, lines)];
  if (old === null || now === null) return undefined;
  return {
    what: `the last test of ${path}, moved to other lines,`,
    edits: [{ path, text: now }],
    onBase: [{ path, text: old }],
    reach: false,
  };
}

const aloneInItself = ({ path, before, after }: ChangedFile): Sabotage[] => {
  const one = path.endsWith(".rs") && before !== null ? leftAlone(path, before, after) : undefined;
  return one ? [one] : [];
};

/** A wrong expectation in the tests that a changed file holds itself. */
function inItself({ path, before, after }: ChangedFile): Sabotage[] {
  const both = path.endsWith(".rs") && before !== null ? wrongInBoth(path, before, after, randomInt(2, 60)) : null;
  if (!both) return [];
  return [
    {
      what: `${both.after.what} planted in ${path}:${both.after.line}`,
      edits: [{ path, text: both.after.text }],
      onBase: [{ path, text: both.before.text }],
      reach: false,
    },
  ];
}

/** Rust keeps tests inside its sources. */
const rustTests = (old: Entries, below: string, changed: readonly string[]): string[] =>
  [...old.keys()].filter((path) => path.startsWith(below) && path.endsWith(".rs") && !changed.includes(path));

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

interface Form {
  /** Finds the word that begins a test. */
  readonly begins: RegExp;
  /** The word that takes its place, so that the test does not run. */
  readonly instead: (found: string) => string;
}

const forms: Readonly<Partial<Record<Language, Form>>> = {
  js: { begins: /(?<=^[ \t]*)(?:test|it)(?=\()/gm, instead: (word) => `${word}.skip` },
  python: { begins: /(?<=^[ \t]*(?:async[ \t]+)?def[ \t]+)test(?=\w*\()/gm, instead: () => "left_out_test" },
  go: { begins: /(?<=^func[ \t]+)Test(?=[A-Z_0-9]\w*\()/gm, instead: () => "leftOutTest" },
  rust: { begins: /(?<=^[ \t]*)#\[test\]/gm, instead: () => "#[allow(dead_code)]" },
};

/** The text with all tests but the last left out and `lines` empty lines on top; null for a text without tests. */
export function lastTestAlone(path: string, text: string, lines: number): string | null {
  const language = languageOf(path);
  const form = language === null ? undefined : forms[language];
  if (language === null || !form) return null;
  const found = [...codeOnly(text, language).matchAll(form.begins)];
  if (found.length === 0 || text.startsWith("#!")) return null;
  const alone = found.slice(0, -1).reduceRight((made, { index, 0: word }) => {
    return made.slice(0, index) + form.instead(word) + made.slice(index + word.length);
  }, text);
  return "\n".repeat(lines) + alone;
}
