// Globs over paths with `/`: `*`, `?`, `**`, `[a-z]`, `{a,b}`. A name that begins with a dot is matched like any other.
// Matching takes bounded time, because a pattern may come from a repository or from a model.

/** Characters that make a pattern a glob rather than a path. */
export const isGlob = (pattern: string): boolean => /[*?[{]/.test(pattern);

type PathTest = (path: string) => boolean;

/** A test for whole paths; undefined when the braces expand to more than 1,000 patterns. */
export function compileGlob(pattern: string): PathTest | undefined {
  const tests = expandBraces(pattern)?.map(compilePath);
  return (
    tests &&
    ((path) => {
      const names = path.split("/");
      return tests.some((test) => test(names));
    })
  );
}

interface PathListOptions {
  readonly ignoreCase?: boolean;
  /** A plain name matches only at the top, as in a list of allowed paths: `src` does not match `lib/src`. */
  readonly anchored?: boolean;
}

/**
 * An entry in a list of paths: without a slash it matches a name at any depth, and a folder matches everything below it.
 * An entry with too many braces matches nothing.
 */
export function globMatches(entry: string, path: string, options: PathListOptions = {}): boolean {
  const fold = (text: string) => (options.ignoreCase ? text.toLowerCase() : text);
  const names = fold(path).split("/");
  return (expandBraces(fold(entry)) ?? []).some((raw) => {
    const rooted = raw.replace(/^\.?\//, "");
    // `src/` and `src/**` match `src` itself too: a file or a link can replace the folder.
    const trimmed = rooted.replace(/(?:\/(?:\*{2,})?)+$/, "");
    if (trimmed === "") return false;
    const isTop = rooted !== raw || (options.anchored === true && !/[*?[]/.test(trimmed));
    const pattern = trimmed.includes("/") || isTop ? trimmed : `**/${trimmed}`;
    return [pattern, `${pattern}/**`].some((one) => compilePath(one)(names));
  });
}

const mostAlternatives = 1_000;

/** `{a,b}` expanded to its patterns, nested ones too; undefined when there are more than 1,000. */
function expandBraces(pattern: string): string[] | undefined {
  const done: string[] = [];
  const left = [pattern];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const group = firstGroup(next);
    if (group === undefined) done.push(next);
    else {
      const [before, inside, after] = group;
      if (done.length + left.length + inside.length > mostAlternatives) return undefined;
      for (const one of inside) left.push(before + one + after);
    }
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

/** `**` as a whole name matches any number of folders, also zero; at the end it matches everything below. */
const anyFolders = Symbol("any folders");

function compilePath(pattern: string): (path: readonly string[]) => boolean {
  const parts = partsOf(pattern);
  return (path) => {
    // The positions in the pattern that the names so far can lead to.
    let positions = reach(new Set([0]), parts);
    for (const name of path) {
      const next = new Set<number>();
      for (const position of positions) {
        const part = parts[position];
        if (part === anyFolders) next.add(position);
        else if (part?.(name) === true) next.add(position + 1);
      }
      if (next.size === 0) return false;
      positions = reach(next, parts);
    }
    return positions.has(parts.length);
  };
}

function partsOf(pattern: string): (typeof anyFolders | NameTest)[] {
  const parts = pattern
    .split("/")
    .map((name) => (/^\*{2,}$/.test(name) ? anyFolders : compileName(name)))
    // Two in a row mean the same as one.
    .filter((part, at, all) => part !== anyFolders || all[at - 1] !== anyFolders);
  // At the end of a pattern it matches at least one name.
  return parts.at(-1) === anyFolders ? [...parts.slice(0, -1), () => true, anyFolders] : parts;
}

/** Every position that can be reached without a name: `**` may match zero folders. */
function reach(positions: Set<number>, parts: readonly unknown[]): Set<number> {
  for (const position of positions) if (parts[position] === anyFolders) positions.add(position + 1);
  return positions;
}

type NameTest = (name: string) => boolean;
/** One character of a name, or any number of them. */
type Sign = ((character: string) => boolean) | "many";

function compileName(pattern: string): NameTest {
  if (!/[*?[\\]/.test(pattern)) return (name) => name === pattern;
  const signs = signsOf([...pattern]);
  // A folder with the literal name `[id]` matches by that name.
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
      const literal = character === "\\" ? (pattern[(at += 1)] ?? "\\") : character;
      signs.push((given) => given === literal);
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

/** Backtracks to the last star only, so the number of steps is at most name length times pattern length. */
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
