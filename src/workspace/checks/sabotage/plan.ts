// Plans what is broken on purpose around one change, most informative first. Pure: texts in, texts out.
import { change, emptied as emptiedBody, stopped } from "./break.ts";
import { type FoundFunction, functionsIn } from "./functions.ts";
import { languageOf, type Language } from "./language.ts";
import { neutral } from "./neutral.ts";
import { changedUnits, inTurn } from "./units.ts";
import type { Edit } from "../tree.ts";

export interface Sabotage {
  /** In words for a person: `add in src/add.js does nothing`. */
  readonly what: string;
  readonly edits: readonly Edit[];
  /** The same on the base commit, where it can be compared. */
  readonly onBase: readonly Edit[] | null;
  /** Tried on the work where the first went unnoticed: turned operators can make up for each other, a stop cannot. */
  readonly harder?: readonly Edit[];
  /** A value that has to equal another is wrong. */
  readonly equal?: true;
  /** It makes a value wrong in a file that still loads. */
  readonly value?: true;
  /** The file fails as soon as it is loaded. */
  readonly loads?: true;
  /** It breaks what the work changed, so noticing it means that the check reaches the change. */
  readonly reach: boolean;
  /** A test that calls the function and looks at no value may notice it. */
  readonly crude?: true;
  /** The changed function whose value it breaks. */
  readonly unit?: string;
  /** It changes nothing that a check may notice. */
  readonly neutral?: true;
}

export interface ChangedFile {
  readonly path: string;
  /** null where the file did not exist before. */
  readonly before: string | null;
  readonly after: string;
  /** Lines of each hunk, 1-based, with how many there are on each side. */
  readonly hunks: readonly Hunk[];
}

interface Hunk {
  readonly old: { readonly start: number; readonly count: number };
  readonly new: { readonly start: number; readonly count: number };
}

const mostSabotages = 20;
const mostPlanned = 120;

/** The places of the changed functions that have a sabotage. */
export const unitPlaces = (all: readonly Sabotage[]): string[] => [
  ...new Set(all.flatMap(({ unit }) => (unit === undefined ? [] : [unit]))),
];

/** Sabotages of the changed source: first the functions that both trees have, then the values of each changed function. */
export function planSabotages(files: readonly ChangedFile[], readsOnly = false): Sabotage[] {
  const [broken, emptied] = [files.flatMap(sharedFunctions), files.flatMap(emptiedFile)];
  // A check that may only read the files notices a missing text rather than a wrong value.
  const shared = readsOnly ? [...emptied, ...broken] : [...broken, ...emptied];
  const units = files.flatMap(changedUnits);
  // Each function once before any function twice.
  const values = inTurn(units.map(({ sabotages }) => sabotages)).slice(0, mostPlanned);
  return distinct([...shared.slice(0, mostSabotages), ...neutral(files), ...values]);
}

/** Each text once. A text that is planned for two reasons serves both. */
function distinct(all: readonly Sabotage[]): Sabotage[] {
  const byText = new Map<string, Sabotage>();
  for (const one of all) {
    const key = JSON.stringify(one.edits);
    const known = byText.get(key);
    const unit = known?.unit ?? one.unit;
    byText.set(
      key,
      known ? { ...known, reach: known.reach || one.reach, ...(unit === undefined ? {} : { unit }) } : one,
    );
  }
  return [...byText.values()];
}

const edit = (path: string, text: string | null): Edit[] => [{ path, text }];

/** All functions of a file by names that both trees have: a check that noticed it before has to notice it now. */
function sharedFunctions({ path, before, after }: ChangedFile): Sabotage[] {
  const language = languageOf(path);
  if (language === null || before === null) return [];
  const [old, now] = [functionsIn(before, language), functionsIn(after, language)];
  const names = new Set(old.map(({ name }) => name).filter((name) => name !== ""));
  const both = new Set(now.map(({ name }) => name).filter((name) => names.has(name)));
  if (both.size === 0) return [];
  const stops = (text: string, all: readonly FoundFunction[]) =>
    change(
      text,
      outermost(all.filter(({ name }) => both.has(name))).flatMap((one) => stopped(one, language)),
    );
  const broken = (text: string, all: readonly FoundFunction[]) =>
    change(
      text,
      outermost(all.filter(({ name }) => both.has(name))).flatMap((one) => emptiedBody(text, one, language, path)),
    );
  const list = [...both].slice(0, 3).join(", ") + (both.size > 3 ? ` and ${both.size - 3} more` : "");
  return [
    {
      what: `${list} in ${path} broken`,
      edits: edit(path, broken(after, now)),
      onBase: edit(path, broken(before, old)),
      ...(language === "go" || language === "rust" ? { harder: edit(path, stops(after, now)) } : {}),
      reach: false,
    },
  ];
}

/** For checks that read the file and run none of it. */
const emptiedFile = ({ path, before }: ChangedFile): Sabotage[] =>
  before === null ? [] : [{ what: `${path} emptied`, edits: edit(path, ""), onBase: edit(path, ""), reach: false }];

/** A function inside another one goes with it. */
const outermost = (all: readonly FoundFunction[]): FoundFunction[] =>
  all.filter(
    (one) => !all.some((other) => other !== one && other.body[0] < one.body[0] && one.body[0] < other.body[1]),
  );

const errors: Readonly<Partial<Record<Language, readonly (readonly [what: string, text: string])[]>>> = {
  js: [
    ["a wrong type", 'const wrong1: number = "x";'],
    ["a type left out", "function wrong2(a) { const b: string = null; return [a, b]; }"],
  ],
  python: [
    ["a wrong type", 'wrong1: int = "x"'],
    ["a type left out", "def wrong2(a): return a"],
  ],
};
const mistakes: Readonly<Record<Language, string>> = {
  js: "const = ) (;",
  python: "def (:",
  go: ") (",
  rust: ") (",
  shell: "if (",
};

/** For checks that read code and run none of it: a mistake at the end of each changed file that the base has as well. */
export function planMistakes(files: readonly ChangedFile[], kind: "typecheck" | "lint" | "build"): Sabotage[] {
  return files
    .flatMap(({ path, before, after }) => {
      const language = languageOf(path);
      if (language === null || before === null) return [];
      const typed = kind === "typecheck" && !/\.[cm]?jsx?$/.test(path);
      const rows = (typed ? errors[language] : undefined) ?? [["a mistake", mistakes[language]] as const];
      return rows.map(([what, line]) => ({
        what: `${what} in ${path}`,
        edits: edit(path, `${after}\n${line}\n`),
        onBase: edit(path, `${before}\n${line}\n`),
        reach: false,
      }));
    })
    .slice(0, mostSabotages);
}
