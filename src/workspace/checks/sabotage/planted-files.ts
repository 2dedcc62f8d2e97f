// Chooses the test files in which a failure is planted, and what is planted there. Read from git.
import { randomInt } from "node:crypto";
import type { CheckSpec } from "../../../core/contract/index.ts";
import { readBlobs, type Repository, type TreeEntry } from "../../../platform/git/index.ts";
import { lastTestAlone } from "./alone.ts";
import { failingFiles, type Planted, wrongExpectations, wrongInBoth, wrongRow } from "./canary.ts";
import { wrongCompares } from "./compared.ts";
import { isCode, languageOf } from "./language.ts";
import type { ChangedFile, Sabotage } from "./plan.ts";
import type { PlantedFile } from "./plant.ts";
import { readersOf, type Source } from "./readers.ts";
import { entriesOf, isTest, mostFiles, stemOf, textOf } from "./targets.ts";
import { ownerOf } from "./titles.ts";

const mostWrong = 3;
const mostSources = 600;

interface Planting {
  readonly planted: readonly PlantedFile[];
  readonly alone?: Sabotage | undefined;
}

interface Asked {
  readonly repository: Repository;
  readonly base: string;
  readonly tree: string;
  readonly spec: Pick<CheckSpec, "cwd" | "files">;
  readonly changed: readonly ChangedFile[];
  /** The work changes what judges it: its own tests are tried too, and the base's beside them. */
  readonly withNew: boolean;
}

/**
 * The test files that read a changed file. Where none does, or where the work adds tests that share a process with the
 * others, also those that the base has, the most telling first.
 */
export async function plantedFor({ only, ...asked }: Asked & { only?: readonly string[] }): Promise<Planting> {
  const { changed, withNew } = asked;
  const own = withNew ? [] : changed.flatMap(inItself);
  if (own.length > 0)
    return { planted: own.map((one) => inFile("", "", [one])), alone: changed.flatMap(aloneInItself)[0] };
  const { tests, read, isAlike } = await testsAround(asked);
  const chosen = tests.filter(({ path }) => read.has(path) || withNew);
  const first = tests.find(({ path }) => !read.has(path));
  const all = (chosen.length > 0 ? chosen : first ? [first] : [])
    .filter(({ path }) => only === undefined || only.includes(path))
    .slice(0, mostFiles);
  const planted = all.flatMap(({ path, text }) => {
    const tries = triesIn(path, text);
    const isNew = !isAlike(path);
    return tries.length === 0 ? [] : [{ ...inFile(path, text, isNew ? tries.map(alone) : tries), isNew }];
  });
  // A file that the command names is run for certain, and its last test is left alone.
  const single = all.find(({ path }) => planted.some((one) => one.path === path && !one.isNew));
  return { planted, alone: single ? leftAlone(single.path, single.text, single.text) : undefined };
}

/** The test files that say something about the change: those that read it, new ones, and at least one that the base has. */
export async function relevantTests(asked: Asked): Promise<string[]> {
  const { tests, read, isAlike } = await testsAround(asked);
  const own = tests.filter(({ path }) => read.has(path) || !isAlike(path)).map(({ path }) => path);
  const first = tests.find(({ path }) => isAlike(path) && !read.has(path));
  return own.some(isAlike) || !first ? own : [...own, first.path];
}

/** The test files that load a changed file, also through others. */
export const readingTests = async (asked: Asked): Promise<string[]> => [...(await testsAround(asked)).read];

/** All test files, the most telling first; those of them that read a changed file; and whether the base has one alike. */
async function testsAround({ repository, base, tree, spec, changed, withNew }: Asked) {
  const [old, now] = [await entriesOf(repository, base), await entriesOf(repository, tree)];
  const below = spec.cwd === "" ? "" : `${spec.cwd}/`;
  const named = new Set(spec.files ?? []);
  const inside = [...now.values()].filter(({ path }) => path.startsWith(below));
  const isAlike = (path: string) => old.has(path) && old.get(path)?.object === now.get(path)?.object;
  const isNamed = (path: string) => named.has(path) && isCode(path);
  const candidates = inside
    .filter(({ path }) => isTest(path) || isNamed(path) || isRustTest(path, changed))
    .filter(({ path }) => withNew || isAlike(path))
    .toSorted(byRank(named, changed))
    .slice(0, 10 * mostFiles);
  const tests = (await textsOf(repository, candidates)).filter(holdsTests);
  const read = new Set(await readers(repository, inside, changed, tests));
  return { tests, read, isAlike };
}

/** Without a base to compare with. */
const alone = (one: Sabotage): Sabotage => ({ ...one, onBase: null });

const inFile = (path: string, text: string, tries: readonly Sabotage[]): PlantedFile => ({
  path: path || (tries[0]?.edits[0]?.path ?? ""),
  owns: ownerOf(path, text),
  tries,
});

function byRank(named: ReadonlySet<string>, changed: readonly ChangedFile[]) {
  const stems = changed.map(({ path }) => stemOf(path));
  const rank = (path: string): number =>
    (named.has(path) ? -4 : 0) +
    (stems.some((stem) => path.includes(stem)) ? 0 : 2) +
    (/(?:^|[._-])(?:test|spec)/i.test(path.split("/").at(-1) ?? "") ? 0 : 1);
  return (a: TreeEntry, b: TreeEntry): number => rank(a.path) - rank(b.path) || (a.path < b.path ? -1 : 1);
}

async function textsOf(repository: Repository, entries: readonly TreeEntry[]): Promise<Source[]> {
  // One call for all of them: git remembers the answers.
  await readBlobs(
    repository,
    entries.map(({ object }) => object),
  );
  const texts: Source[] = [];
  for (const entry of entries) {
    const text = await textOf(repository, entry);
    if (text !== null) texts.push({ path: entry.path, text });
  }
  return texts;
}

/** Rust keeps tests inside its sources. */
const isRustTest = (path: string, changed: readonly ChangedFile[]): boolean =>
  path.endsWith(".rs") && !changed.some((one) => one.path === path);

const holdsTests = ({ path, text }: Source): boolean => !path.endsWith(".rs") || /#\[(?:\w+::)*test\]/.test(text);

async function readers(
  repository: Repository,
  inside: readonly TreeEntry[],
  changed: readonly ChangedFile[],
  tests: readonly Source[],
): Promise<string[]> {
  const code = inside.filter(({ path }) => languageOf(path) !== null && !tests.some((one) => one.path === path));
  const sources = await textsOf(repository, code.slice(0, mostSources));
  return readersOf(
    changed.map(({ path }) => path),
    tests,
    sources,
  );
}

/** Wrong values: compared at run time where the language allows it, else in the line or the table that holds them; then the file as a whole. */
function triesIn(path: string, text: string): Sabotage[] {
  const by = randomInt(2, 60);
  const language = languageOf(path);
  const asIs = language === "js" || language === "python";
  const compared = wrongCompares(path, text, by, mostWrong).map((one): Planted => ({
    ...one,
    what: "a wrong expectation",
    ...(asIs ? { equal: true } : {}),
  }));
  const taken = compared.slice(0, mostWrong - 1).map(({ line }) => line);
  const looks = wrongExpectations(path, text, by).filter(({ line }) => !asIs || !taken.includes(line));
  const rows = asIs ? [] : [wrongRow(text, by) ?? []].flat();
  const wrong = asIs
    ? [...compared.slice(0, mostWrong - 1), ...looks]
    : [...looks.slice(0, 1), ...rows, ...compared.slice(0, 1), ...looks.slice(1)];
  return [...wrong.slice(0, mostWrong), ...failingFiles(path, text)].map((one) => plantedIn(path, one));
}

const plantedIn = (path: string, made: Planted): Sabotage => ({
  what: `${made.what} planted in ${path}:${made.line}`,
  edits: [{ path, text: made.text }],
  onBase: [{ path, text: made.text }],
  reach: false,
  ...(made.equal ? { equal: true } : {}),
  ...(made.loads ? { loads: true } : { value: true }),
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
