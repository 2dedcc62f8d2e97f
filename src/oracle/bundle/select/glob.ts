// Globs over paths with `/`: `*`, `?`, `**`, `[a-z]`, `{a,b}`. Names that begin with a dot are names like others.
// Matched part by part in bounded time: a pattern may come from a stranger.
import { fail } from "../../../core/contract/index.ts";

/** Characters that make a pattern a glob rather than a path. */
export const isGlob = (pattern: string): boolean => /[*?[{]/.test(pattern);

type Test = (path: readonly string[]) => boolean;

/** A test for whole paths. Everything that is not a sign of a glob stands for itself. */
export function compileGlob(pattern: string): (path: string) => boolean {
  const tests = expandBraces(pattern).map(compilePath);
  return (path) => {
    const names = path.split("/");
    return tests.some((test) => test(names));
  };
}

const mostAlternatives = 1_000;

/** `{a,b}` as the patterns that it stands for, nested ones too. */
function expandBraces(pattern: string): string[] {
  const done: string[] = [];
  const left = [pattern];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const group = firstGroup(next);
    if (group === undefined) done.push(next);
    else {
      const [before, inside, after] = group;
      left.push(...inside.map((one) => before + one + after));
    }
    if (done.length + left.length > mostAlternatives)
      return fail("invalid_input", `The pattern ${pattern.slice(0, 80)} stands for too many others.`, {
        remedy: "Write it with fewer { }.",
      });
  }
  return done;
}

/** The first closed group: the text before it, its alternatives, and the text after it. */
function firstGroup(pattern: string): [before: string, inside: string[], after: string] | undefined {
  for (let at = 0; at < pattern.length; at += 1) {
    if (pattern[at] === "\\") at += 1;
    else if (pattern[at] === "{") {
      const inside = alternatives(pattern, at);
      if (inside) return [pattern.slice(0, at), inside.parts, pattern.slice(inside.end + 1)];
    }
  }
  return undefined;
}

function alternatives(pattern: string, open: number): { parts: string[]; end: number } | undefined {
  const parts = [""];
  for (let at = open + 1, depth = 0; at < pattern.length; at += 1) {
    const character = pattern[at] ?? "";
    if (character === "}" && depth === 0) return { parts, end: at };
    if (character === "{") depth += 1;
    if (character === "}") depth -= 1;
    const escaped = character === "\\" ? (pattern[(at += 1)] ?? "") : "";
    if (character === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += character + escaped;
  }
  return undefined;
}

/** `**` as a whole name stands for any folders, also none; at the end for anything below. */
const anyFolders = Symbol("any folders");

function compilePath(pattern: string): Test {
  const parts = partsOf(pattern);
  return (path) => {
    // The places in the pattern that the names so far can have led to.
    let places = reach(new Set([0]), parts);
    for (const name of path) {
      const next = new Set<number>();
      for (const place of places) {
        const part = parts[place];
        if (part === anyFolders) next.add(place);
        else if (part?.(name) === true) next.add(place + 1);
      }
      if (next.size === 0) return false;
      places = reach(next, parts);
    }
    return places.has(parts.length);
  };
}

function partsOf(pattern: string): (typeof anyFolders | NameTest)[] {
  const parts = pattern
    .split("/")
    .map((name) => (/^\*{2,}$/.test(name) ? anyFolders : compileName(name)))
    // Two in a row mean the same as one.
    .filter((part, at, all) => part !== anyFolders || all[at - 1] !== anyFolders);
  // At its end a pattern wants at least one name there.
  return parts.at(-1) === anyFolders ? [...parts.slice(0, -1), () => true, anyFolders] : parts;
}

/** Every place that can be reached without a name: `**` may stand for no folder. */
function reach(places: Set<number>, parts: readonly unknown[]): Set<number> {
  for (const place of places) if (parts[place] === anyFolders) places.add(place + 1);
  return places;
}

type NameTest = (name: string) => boolean;
/** One character of a name, or any number of them. */
type Sign = ((character: string) => boolean) | "many";

function compileName(pattern: string): NameTest {
  if (!/[*?[\\]/.test(pattern)) return (name) => name === pattern;
  const signs = signsOf([...pattern]);
  // A folder that is really called `[id]` is meant by its own name.
  return (name) => name === pattern || matchName(signs, [...name]);
}

function signsOf(pattern: readonly string[]): Sign[] {
  const signs: Sign[] = [];
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at] ?? "";
    const set = character === "[" ? readSet(pattern, at) : undefined;
    if (character === "*") {
      if (signs.at(-1) !== "many") signs.push("many");
    } else if (character === "?") signs.push(() => true);
    else if (set) {
      signs.push(set.test);
      at = set.end;
    } else {
      const meant = character === "\\" ? (pattern[(at += 1)] ?? "\\") : character;
      signs.push((given) => given === meant);
    }
  }
  return signs;
}

/** `[abc]`, `[a-z]`, `[!abc]`. A range that runs backwards holds its two ends and the dash. */
function readSet(
  pattern: readonly string[],
  open: number,
): { test: (character: string) => boolean; end: number } | undefined {
  const negated = pattern[open + 1] === "!" || pattern[open + 1] === "^";
  const from = open + (negated ? 2 : 1);
  const end = pattern.indexOf("]", from + 1);
  if (end < 0) return undefined;
  const members = pattern.slice(from, end);
  const ranges: [string, string][] = [];
  for (let at = 0; at < members.length; at += 1) {
    const [first = "", dash, last] = members.slice(at, at + 3);
    if (dash === "-" && last !== undefined && first <= last) {
      ranges.push([first, last]);
      at += 2;
    } else ranges.push([first, first]);
  }
  const holds = (character: string) => ranges.some(([low, high]) => low <= character && character <= high);
  return { test: (character) => holds(character) !== negated, end };
}

/** Goes back to the last star only: enough for stars, and never more steps than name times pattern. */
function matchName(signs: readonly Sign[], name: readonly string[]): boolean {
  let at = 0;
  let sign = 0;
  let star = -1;
  let resume = 0;
  while (at < name.length) {
    const wanted = signs[sign];
    if (wanted === "many") {
      star = sign;
      resume = at;
      sign += 1;
    } else if (wanted?.(name[at] ?? "") === true) {
      at += 1;
      sign += 1;
    } else if (star >= 0) {
      sign = star + 1;
      resume += 1;
      at = resume;
    } else return false;
  }
  while (signs[sign] === "many") sign += 1;
  return sign === signs.length;
}
