// A failing test planted where the check looks: an expectation that cannot hold, or a test file that cannot be loaded. A
// check that can still fail must fail now.
import { change } from "./break.ts";
import { isCode, languageOf } from "./language.ts";

export interface Planted {
  readonly text: string;
  /** 1-based. */
  readonly line: number;
  readonly what: string;
  readonly equal?: true;
  readonly loads?: true;
}

/** Two values that have to be the same: a wrong one is noticed wherever the line is run. */
const equality =
  /\b(?:strict|deep|deepStrict)?equals?\s*\(|\bto(?:Be|Equal|StrictEqual)\(|\.to\.(?:equal|eql|be\.equal)\(|\bassert(?:_eq!|Equals?\b|Same\b)|\bassert\b[^<>]*[^!<>]==?[^<>]*$/i;

const asserts =
  /\b(?:assert\w*!?|expect|should|require|is|same|equal|deepEqual|eq|verify|check|ok)\s*[.(!]|\bassert\b|[!=]=|\.to(?:Be|Equal)|\bXCTAssert|\bt\.(?:Error|Fatal)/i;
/** The last value of a line: usually the expected value. A text in the third position is mostly a message. */
const lastNumber = /(?<![\w.$])(\d{1,9})(?=[^\w"'`]*$)/;
/** Where a line goes on behind its expectation: its last number outside of strings. */
const innerNumber = /(?<![\w.$"'`])(\d{1,9})(?![\w."'`])(?!.*(?<![\w.$"'`])\d)/;
const lastText = /(["'])((?:[^"'\\\n]){1,80})\1(?=[^\w"'`]*$)/;

/** Each holds the whole text, so that only as many are made as may be asked for. */
const mostWrong = 40;

/** Wrong expectations, the most informative first. `by`: how far a number is off; code under judgement must not be able to know. */
export function wrongExpectations(path: string, text: string, by = 7919): Planted[] {
  if (!isCode(path)) return [];
  const lines = text.split("\n");
  const rank = (index: number): number => {
    const line = lines[index] ?? "";
    return lastNumber.test(line) ? 0 : innerNumber.test(line) ? 1 : 2;
  };
  return lines
    .flatMap((line, index) => {
      const wrong = wrongLine(line, by);
      return wrong === null ? [] : [{ wrong, index, rank: rank(index) }];
    })
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, mostWrong)
    .map(({ wrong, index }) => ({
      text: [...lines.slice(0, index), wrong, ...lines.slice(index + 1)].join("\n"),
      line: index + 1,
      what: "a wrong expectation",
      ...(equality.test(lines[index] ?? "") ? { equal: true as const } : {}),
    }));
}

/** The last number of the first row of a table: `(1, 2, 3)`, `{1, 2, 3}`. */
const row = /(?<=[[({=,]\s*)[([{](?:[^()[\]{}\n]*,)\s*-?(\d{1,9})\s*,?\s*[)\]}](?=\s*[,\])};])/;

/** A wrong expected value in a table of cases; null where there is none. */
export function wrongRow(text: string, by: number): Planted | null {
  const found = row.exec(text);
  const value = found?.[1];
  if (!found || value === undefined) return null;
  const at = found.index + found[0].lastIndexOf(value);
  return {
    text: text.slice(0, at) + String(Number(value) + by) + text.slice(at + value.length),
    line: text.slice(0, at).split("\n").length,
    what: "a wrong expectation",
    equal: true,
  };
}

const noExpectation = /^\s*(?:import\b|from\b|use\b|package\b|#(?!\[)|\/\/|\*)/;

export const isExpectation = (line: string): boolean =>
  line.length <= 500 && asserts.test(line) && !noExpectation.test(line);

/** The first assertion of a line that goes on behind it: `assert(add(1, 2) == 3); return 0;`. */
const ownStatement = /\b(?:assert\w*|expect|verify|require|check)\s*!?\([^"'`;]*\)[^"'`;]*;(?=\s*\S)/;

function wrongLine(line: string, by: number): string | null {
  if (!isExpectation(line)) return null;
  const own = ownStatement.exec(line);
  if (own && own[0] !== line) {
    const wrong = wrongLine(own[0], by);
    if (wrong !== null) return line.slice(0, own.index) + wrong + line.slice(own.index + own[0].length);
  }
  const number = lastNumber.exec(line) ?? innerNumber.exec(line);
  if (number) {
    const [whole, value = ""] = number;
    const at = number.index + whole.indexOf(value);
    return line.slice(0, at) + String(Number(value) + by) + line.slice(at + value.length);
  }
  const word = lastText.exec(line);
  if (!word) return null;
  const end = word.index + 1 + (word[2] ?? "").length;
  return `${line.slice(0, end)}0${line.slice(end)}`;
}

/** A file that fails as soon as it is loaded; for Rust, which loads nothing, a test that fails; for a shell at its end, when
 * everything is loaded that could hide it, and then at its beginning, which is reached for certain. */
export function failingFiles(path: string, text: string): Planted[] {
  const line = text.split("\n").length;
  const say = (made: string, at = line): Planted => ({
    text: made,
    line: at,
    what: "a failure",
    loads: true,
  });
  switch (languageOf(path)) {
    case "js":
      return [say(`${text}\nthrow new Error("x");\n`)];
    case "python":
      return [say(`${text}\nraise RuntimeError("x")\n`)];
    case "go":
      return [say(`${text}\nfunc init() { panic("x") }\n`)];
    case "rust":
      return /#\[(?:\w+::)*test\]/.test(text) ? [say(`${text}\n#[test]\nfn always_wrong() { panic!(); }\n`)] : [];
    case "shell": {
      const at = text.startsWith("#!") ? text.indexOf("\n") + 1 : 0;
      return [say(`${text}\nexit 1\n`), say(change(text, [{ at, text: "exit 1\n" }]), 1)];
    }
    default:
      return [];
  }
}

/** The same wrong expectation in two versions of a file that holds its own tests, as Rust's do. */
export function wrongInBoth(
  path: string,
  before: string,
  after: string,
  by?: number,
): { before: Planted; after: Planted } | null {
  const inTests = (text: string, { line }: Planted) =>
    text
      .split("\n")
      .slice(0, line)
      .some((one) => /#\[cfg\(test\)\]|#\[(?:\w+::)*test\]/.test(one));
  const lineOf = (text: string, { line }: Planted) => text.split("\n")[line - 1] ?? "";
  const old = wrongExpectations(path, before, by).filter((one) => inTests(before, one));
  for (const one of wrongExpectations(path, after, by).filter((made) => inTests(after, made))) {
    const same = old.find((made) => lineOf(before, made) === lineOf(after, one));
    if (same) return { before: same, after: one };
  }
  return null;
}
