// Source that holds the very values of the tests, inputs and answers: right for these, and nothing shows that it is right
// for others. A check cannot distinguish such a table from a real solution, so the claim names it. Pure.
import { languageOf } from "./language.ts";
import type { ChangedFile } from "./plan.ts";
import { isExpectation } from "./canary.ts";

export interface TestText {
  readonly path: string;
  readonly text: string;
}

/** Numbers, also inside of texts, and words in quotes. */
const values = /(?<![\w.])-?\d+(?:\.\d+)?|(?<=["'`])[A-Za-z][^"'`\n]{1,80}(?=["'`])/g;

/** The name of a test does not contain its values. */
const title = /\b(?:test|it|describe|specify)(?:\.\w+)?\s*\(\s*(?:"[^"]*"|'[^']*'|`[^`]*`)/;

const valuesOf = (line: string): Set<string> => new Set(line.slice(0, 500).match(values) ?? []);

/** A call without another one inside, and what it is given. */
const innermost = /([\w$]+)!?\s*\(([^()]*)\)/g;
const comparesOnly = /^(?:assert\w*|expect|verify|require|check|test|it|to[A-Z]\w*|\w*equals?|eq|ok|is|be)$/i;

/** A table needs what is asked, and not the answers alone: `[fee(true), fee(false)]` are two prices of any rule. */
const hasArgument = (line: string): boolean =>
  [...line.matchAll(innermost)].some(
    ([, name = "", given = ""]) => !comparesOnly.test(name) && valuesOf(given).size > 0,
  );

interface Asked {
  readonly path: string;
  readonly line: number;
  readonly values: ReadonlySet<string>;
}

function askedBy({ path, text }: TestText): Asked[] {
  return text.split("\n").flatMap((line, index) => {
    const code = line.replace(title, "");
    const found = isExpectation(line) ? valuesOf(code) : new Set<string>();
    return found.size < 2 || !hasArgument(code) ? [] : [{ path, line: index + 1, values: found }];
  });
}

/** Two neighbours at a time: a condition and its answer are mostly on adjacent lines. */
function addedPairs({ path, before, after, hunks }: ChangedFile): { at: string; own: number; values: Set<string> }[] {
  if (languageOf(path) === null) return [];
  const lines = after.split("\n");
  const added =
    before === null
      ? lines.map((_, index) => index)
      : hunks.flatMap(({ new: { start, count } }) => Array.from({ length: count }, (_, more) => start - 1 + more));
  return added
    .slice(0, mostLines)
    .map((index) => ({
      at: `${path}:${index + 1}`,
      own: valuesOf(lines[index] ?? "").size,
      values: valuesOf(`${lines[index] ?? ""}\n${lines[index + 1] ?? ""}`),
    }))
    .filter((pair) => pair.values.size > 1);
}

const mostLines = 2_000;
const mostAsked = 200;

export interface KnownValues {
  readonly text: string;
  /** The table holds more than the tests ask for. It may be a real one: only calls with other arguments can judge it. */
  readonly isWider: boolean;
}

/** Undefined where fewer than two expectations, or not all of a single one, are found in the changed source. */
export function knownValues(changed: readonly ChangedFile[], tests: readonly TestText[]): KnownValues | undefined {
  const asked = tests.flatMap(askedBy).slice(0, mostAsked);
  const pairs = changed.flatMap(addedPairs);
  const held = asked.flatMap((one) => {
    const pair = pairs.find((each) => [...one.values].every((value) => each.values.has(value)));
    return pair ? [{ ...one, at: pair.at }] : [];
  });
  const [first, second] = held;
  if (!first || (!second && asked.length > 1)) return undefined;
  const rows = pairs.filter((pair) => pair.own > 1);
  const from = rows.filter((row) => asked.some((one) => [...one.values].every((value) => row.values.has(value))));
  const where = second
    ? `${first.path}:${first.line} and ${second.path}:${second.line}`
    : `${first.path}:${first.line}`;
  return {
    text: `${first.at} holds the very values that ${where} ask for`,
    isWider: rows.length > 2 && from.length < rows.length,
  };
}
