// A failing test planted where the check looks: an expectation that cannot hold, or a test file that cannot be loaded. A
// check that is still able to say no says it now.
import { change } from "./break.ts";
import { languageOf } from "./language.ts";

export interface Planted {
  readonly text: string;
  /** 1-based. */
  readonly line: number;
  readonly what: string;
}

const asserts =
  /\b(?:assert\w*!?|expect|should|require|is|same|equal|deepEqual|eq|verify|check|ok)\s*[.(!]|\bassert\b|[!=]=|\.to(?:Be|Equal)|\bXCTAssert|\bt\.(?:Error|Fatal)/i;
/** The last value of a line: the expected value stands there. A text in the third place is mostly a message. */
const lastNumber = /(?<![\w.$])(\d{1,9})(?=[^\w"'`]*$)/;
/** Where a line goes on behind its expectation: its last number that is no part of a text. */
const innerNumber = /(?<![\w.$"'`])(\d{1,9})(?![\w."'`])(?!.*(?<![\w.$"'`])\d)/;
const lastText = /(["'])((?:[^"'\\\n]){1,80})\1(?=[^\w"'`]*$)/;

/** Wrong expectations, the most telling first. `by`: how far a number is off; code under judgement must not be able to know. */
export function wrongExpectations(path: string, text: string, by = 7919): Planted[] {
  if (languageOf(path) === null) return [];
  const lines = text.split("\n");
  const found = lines.flatMap((line, index): Planted[] => {
    if (
      line.length > 500 ||
      !asserts.test(line) ||
      /^\s*(?:import\b|from\b|use\b|package\b|#(?!\[)|\/\/|\*)/.test(line)
    )
      return [];
    const number = lastNumber.exec(line) ?? innerNumber.exec(line);
    const word = number ? null : lastText.exec(line);
    const wrong = number
      ? line.slice(0, number.index) +
        String(Number(number[1]) + by) +
        line.slice(number.index + (number[1] ?? "").length)
      : word
        ? line.slice(0, word.index + 1 + (word[2] ?? "").length) +
          "0" +
          line.slice(word.index + 1 + (word[2] ?? "").length)
        : null;
    if (wrong === null) return [];
    const made = [...lines.slice(0, index), wrong, ...lines.slice(index + 1)].join("\n");
    return [{ text: made, line: index + 1, what: "a wrong expectation" }];
  });
  const rank = ({ line }: Planted): number => {
    const text = lines[line - 1] ?? "";
    return lastNumber.test(text) ? 0 : innerNumber.test(text) ? 1 : 2;
  };
  return found.toSorted((a, b) => rank(a) - rank(b));
}

/** A file that fails as soon as it is loaded; for Rust, which loads nothing, a test that fails. */
export function failingFile(path: string, text: string): Planted | null {
  const line = text.split("\n").length;
  const say = (made: string, at = line): Planted => ({ text: made, line: at, what: "a failure" });
  switch (languageOf(path)) {
    case "js":
      return say(`${text}\nthrow new Error("x");\n`);
    case "python":
      return say(`${text}\nraise RuntimeError("x")\n`);
    case "go":
      return say(`${text}\nfunc init() { panic("x") }\n`);
    case "rust":
      return /#\[(?:\w+::)*test\]/.test(text)
        ? say(`${text}\n#[test]\nfn always_wrong() { panic!(); }\n`)
        : null;
    case "shell":
      return say(
        change(text, [{ at: text.startsWith("#!") ? text.indexOf("\n") + 1 : 0, text: "exit 1\n" }]),
        1,
      );
    default:
      return null;
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
