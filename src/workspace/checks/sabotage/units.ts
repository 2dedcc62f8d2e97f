// The changed functions of a file, each with sabotages of its values: another result, another operator, another constant. A
// check that notices one of them reaches the function. Pure.
import { change, constantsIn, emptied, flipsIn, type Insertion, stopped, textsIn } from "./break.ts";
import { type FoundFunction, functionsIn } from "./functions.ts";
import { codeOnly, isCode, languageOf, type Language } from "./language.ts";
import { otherValue } from "./other-value.ts";
import type { ChangedFile, Sabotage } from "./plan.ts";
import { isSameCode } from "./same-code.ts";

export interface ChangedUnit {
  /** `add in src/add.ts:12`, or `src/table.ts:3` for code outside of functions. */
  readonly place: string;
  readonly sabotages: readonly Sabotage[];
}

type Part = readonly [from: number, to: number];

const mostOfUnit = 6;
const mostUnits = 60;
const mostLines = 40;
const mostTouched = 300;
const isData = (path: string): boolean => /\.(?:json5?|ya?ml|toml|ini|csv|tsv|properties|xml|sql)$/i.test(path);

export function changedUnits(file: ChangedFile): ChangedUnit[] {
  const language = languageOf(file.path);
  const starts = lineStarts(file.after);
  const parts = changedParts(file, starts);
  if (parts.length === 0) return [];
  if (language === null) return isData(file.path) || isCode(file.path) ? outside(file, null, parts, starts) : [];
  const touched = touchedFunctions(file, language, parts, starts);
  const all = functionsIn(file.after, language);
  const left = parts.flatMap((part) => withoutFunctions(part, all));
  return [
    ...touched.slice(0, mostUnits).map((one) => unitOf(file, language, one, parts, starts)),
    ...outside(file, language, left, starts),
  ].slice(0, mostUnits);
}

/** The changed lines as positions, without those that only their format changes. */
function changedParts({ path, before, after, hunks }: ChangedFile, starts: readonly number[]): Part[] {
  if (before === null) return [[0, after.length]];
  if (isSameCode(path, before, after)) return [];
  const [old, now] = [before.split("\n"), after.split("\n")];
  const lines = (text: readonly string[], { start, count }: { start: number; count: number }) =>
    count === 0 ? "" : text.slice(start - 1, start - 1 + count).join("\n");
  return hunks.flatMap(({ old: was, new: is }): Part[] => {
    if (isSameCode(path, lines(old, was), lines(now, is))) return [];
    // Lines that are only removed change the function around them.
    if (is.count === 0) return [[(starts[is.start] ?? after.length) - 1, (starts[is.start] ?? after.length) - 1]];
    return [[starts[is.start - 1] ?? 0, (starts[is.start - 1 + is.count] ?? after.length + 1) - 1]];
  });
}

/** From the line that begins the parameters to the end of the body. */
const wholeOf = ({ head, body }: FoundFunction, starts: readonly number[]): Part => [
  startBefore(starts, Math.min(head, body[0] - 1)),
  body[1],
];

function touchedFunctions(
  { path, before, after }: ChangedFile,
  language: Language,
  parts: readonly Part[],
  starts: readonly number[],
): FoundFunction[] {
  const old = before === null ? [] : functionsIn(before, language);
  // A change of thousands of functions is looked at in a part of them.
  const textOf = (text: string, { head, body }: FoundFunction) =>
    text.slice(text.lastIndexOf("\n", Math.min(head, body[0] - 1)) + 1, body[1]);
  const isOld = (one: FoundFunction) =>
    one.name !== "" &&
    old.some((was) => was.name === one.name && isSameCode(path, textOf(before ?? "", was), textOf(after, one)));
  const touched = functionsIn(after, language)
    .filter((one) => {
      const [from, to] = wholeOf(one, starts);
      return parts.some((part) => part[0] <= to && part[1] >= from);
    })
    .slice(0, mostTouched)
    .filter((one) => !isOld(one));
  const inside = (one: FoundFunction, other: FoundFunction) =>
    other !== one && other.body[0] <= one.body[0] && one.body[1] <= other.body[1] && other.body[0] !== one.body[0];
  const named = touched.filter((one) => one.name !== "");
  const outer = named.filter((one) => !named.some((other) => inside(one, other)));
  const rest = touched.filter((one) => one.name === "" && ![...named, ...touched].some((other) => inside(one, other)));
  return [...outer, ...rest];
}

/** Parameters with their types and defaults belong to their function. */
function withoutFunctions([from, to]: Part, all: readonly FoundFunction[]): Part[] {
  const holes = all.filter(({ head, body }) => head <= to && body[1] >= from).toSorted((a, b) => a.head - b.head);
  const found: Part[] = [];
  let at = from;
  for (const { head, body } of holes) {
    if (head > at) found.push([at, Math.min(to, head)]);
    at = Math.max(at, body[1]);
  }
  if (at < to) found.push([at, to]);
  return found;
}

type Make = (what: string, insertion: readonly Insertion[]) => Sabotage;

const maker =
  ({ path, after }: ChangedFile, starts: readonly number[], place: string): Make =>
  (what, insertions) => ({
    what: `${what} at ${path}:${lineAt(starts, insertions[0]?.at ?? 0)}`,
    edits: [{ path, text: change(after, insertions) }],
    onBase: null,
    reach: true,
    unit: place,
  });

function details(text: string, language: Language | null, parts: readonly Part[], make: Make): Sabotage[] {
  const each = <T>(find: (from: number, to: number) => readonly T[]): T[] =>
    parts.flatMap(([from, to]) => [...find(from, to)]);
  const flips = language === null ? [] : each((from, to) => flipsIn(text, language, from, to));
  const numbers = each((from, to) => constantsIn(text, language, from, to));
  const texts = each((from, to) => textsIn(text, from, to));
  return inTurn([
    flips.slice(0, mostOfUnit).map((one) => make("an operator turned round", [one])),
    numbers.slice(0, mostOfUnit).map((one) => make("another number", [one])),
    texts.slice(0, mostOfUnit).map((one) => make("another text", [one])),
  ]);
}

function unitOf(
  file: ChangedFile,
  language: Language,
  one: FoundFunction,
  parts: readonly Part[],
  starts: readonly number[],
): ChangedUnit {
  const line = lineAt(starts, one.body[0]);
  const place = one.name === "" ? `a function in ${file.path}:${line}` : `${one.name} in ${file.path}:${line}`;
  const make = maker(file, starts, place);
  const [start, end] = one.body;
  const mine = parts.flatMap(([from, to]): Part[] =>
    from <= end && to >= start ? [[Math.max(from, start), Math.min(to, end)]] : [],
  );
  const inner = details(file.after, language, mine, make);
  const whole = make("a function that gives nothing back", emptied(file.after, one, language, file.path));
  const stop = make("a function that fails", stopped(one, language));
  const gives = language === "js" || language === "python";
  const [first, ...rest] = inner;
  const other = otherValue(file.after, one, language, file.path);
  const same = other === null ? [] : [make("another value of the same kind", other)];
  const values = gives ? [{ ...whole, crude: true as const }, ...same, ...inner] : first ? [first, ...rest] : [];
  return { place, sabotages: [...values.slice(0, mostOfUnit - 1), { ...stop, crude: true }] };
}

/** Lines that hold no value of their own: imports, types, comments. */
const noValue =
  /^\s*(?:import\b|from\b|export\s+(?:\*|\{[^}]*\}\s+from|type\b|interface\b)|type\b|interface\b|use\b|package\b|mod\b|#|\/\/|\*)/;

/** The condition under which a file is the program itself: tests load the file and never meet it. What it starts counts. */
const startsProgram =
  /^\s*if\s*\(?\s*(?:__name__\s*==\s*["']__main__["']\s*:|require\.main\s*===\s*module\b|import\.meta\.main\b|import\.meta\.(?:url|filename)\s*===|process\.argv\[1\]\s*===)/;

/** Code outside of functions, such as a table, and data: each run of changed lines is one unit. */
function outside(
  file: ChangedFile,
  language: Language | null,
  parts: readonly Part[],
  starts: readonly number[],
): ChangedUnit[] {
  const code = language === null ? file.after : codeOnly(file.after, language);
  return parts.flatMap((part): ChangedUnit[] => {
    const lines = linesIn(code, part)
      .filter(([from, to]) => !noValue.test(code.slice(from, to)) && !startsProgram.test(file.after.slice(from, to)))
      .slice(0, mostLines);
    const first = lines[0];
    if (!first) return [];
    const place = `${file.path}:${lineAt(starts, first[0])}`;
    const sabotages = details(file.after, language, lines, maker(file, starts, place)).slice(0, mostOfUnit);
    return sabotages.length === 0 ? [] : [{ place, sabotages }];
  });
}

function linesIn(code: string, [from, to]: Part): Part[] {
  const found: Part[] = [];
  for (let at = from; at < to;) {
    const end = code.indexOf("\n", at);
    const stop = end < 0 || end > to ? to : end;
    if (code.slice(at, stop).trim() !== "") found.push([at, stop]);
    at = stop + 1;
  }
  return found;
}

export const inTurn = <T>(lists: readonly (readonly T[])[]): T[] => {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list[at] ?? [])).flat();
};

const lineStarts = (text: string): number[] => [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
/** The last start of a line up to a position. */
function startBefore(starts: readonly number[], at: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return starts[low] ?? 0;
}
const lineAt = (starts: readonly number[], at: number): number =>
  Math.max(1, starts.filter((start) => start <= at).length);
