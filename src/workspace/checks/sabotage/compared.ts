// Makes the value wrong that an assertion compares: at run time and of the same type, so that it does not matter where the
// expected value is written. A check that can fail must fail now. Pure.
import { change, type Insertion } from "./break.ts";
import { closing, codeOnly, languageOf, type Language } from "./language.ts";

export interface WrongCompare {
  readonly text: string;
  /** 1-based. */
  readonly line: number;
}

type Part = readonly [from: number, to: number];

/** The arguments of the call whose bracket opens at `open`. */
function argumentsAt(code: string, open: number): Part[] {
  const close = closing(code, open);
  if (close < 0) return [];
  const parts: Part[] = [];
  let from = open + 1;
  let depth = 0;
  for (let at = open + 1; at < close - 1; at += 1) {
    const char = code[at] ?? "";
    if ("([{".includes(char)) depth += 1;
    else if (")]}".includes(char)) depth -= 1;
    else if (char === "," && depth === 0) {
      parts.push([from, at]);
      from = at + 1;
    }
  }
  parts.push([from, close - 1]);
  return parts.filter(([start, end]) => code.slice(start, end).trim() !== "" || end - start > 1);
}

const wrap = (part: Part | undefined, before: string, after: string): Insertion[] =>
  part === undefined
    ? []
    : [
        { at: part[0], text: before },
        { at: part[1], text: after },
      ];

const other: Readonly<Record<"js" | "ts" | "python", (by: number) => string>> = {
  js: (by) =>
    `((v) => typeof v === "number" ? v + ${by} : typeof v === "string" ? v + "0" : typeof v === "boolean" ? !v : v == null ? ${by} : [v])`,
  ts: (by) =>
    `((v: any): any => typeof v === "number" ? v + ${by} : typeof v === "string" ? v + "0" : typeof v === "boolean" ? !v : v == null ? ${by} : [v])`,
  python: (by) =>
    `(lambda v: (not v) if isinstance(v, bool) else v + ${by} if isinstance(v, (int, float)) else v + "0" if isinstance(v, str) else [v])`,
};

/** Two arguments that have to be equal. */
const equalCalls =
  /\b(?:assert|t|test|tap|chai|should|self|cls|a)\.(?:(?:deep|strict|deepStrict|loose)?[eE]quals?|eq|eql|is|same|assert(?:Equals?|Is|(?:List|Dict|Tuple|Set|MultiLine|Sequence|Count)Equal|AlmostEqual))\s*(?=\()|(?<![\w.$])(?:assertEquals?|strictEqual|deepStrictEqual|deepEqual|equal|eq)\s*(?=\()/g;
/** The expected value of `expect(…)`. */
const matchers =
  /(?<!\bnot\s*)\.(?:toBe|toEqual|toStrictEqual|toBeCloseTo|toMatchObject|toContainEqual|equals?|eql|deep\.equal)\s*(?=\()/g;
/** A condition that has to hold. */
const truths = /(?<![\w.$])(?:assert|assert\.ok|self\.assertTrue)\s*(?=\()/g;

function inJs(code: string, path: string, by: number): Insertion[][] {
  const wrong = other[/\.[cm]?tsx?$/.test(path) ? "ts" : "js"](by);
  const second = [...code.matchAll(equalCalls)].map(({ index, 0: { length } }) =>
    wrap(argumentsAt(code, index + length)[1], `${wrong}(`, ")"),
  );
  const expected = [...code.matchAll(matchers)].map(({ index, 0: { length } }) =>
    wrap(argumentsAt(code, index + length)[0], `${wrong}(`, ")"),
  );
  return [...second, ...expected, ...truthsIn(code, "!(")];
}

const truthsIn = (code: string, not: string): Insertion[][] =>
  [...code.matchAll(truths)].map(({ index, 0: { length } }) =>
    wrap(argumentsAt(code, index + length)[0], ` ${not}`, ")"),
  );

/** `assert a == b, "message"`: the part behind the sign, up to a comma outside of brackets or the end of the statement. */
function pythonRight(code: string, from: number): Part {
  let depth = 0;
  for (let at = from; at < code.length; at += 1) {
    const char = code[at] ?? "";
    if ("([{".includes(char)) depth += 1;
    else if (")]}".includes(char)) depth -= 1;
    if (depth < 0 || (depth === 0 && (char === "," || char === "\n" || char === ";"))) return [from, at];
  }
  return [from, code.length];
}

function inPython(code: string, by: number): Insertion[][] {
  const wrong = other.python(by);
  const calls = [...code.matchAll(equalCalls)].map(({ index, 0: { length } }) =>
    wrap(argumentsAt(code, index + length)[1], `${wrong}(`, ")"),
  );
  const plain = [...code.matchAll(/^[ \t]*assert\b(?![^\n]*\bor\b)[^\n=<>!]*[^\n=<>!]==(?=[^=])/gm)].map(
    ({ index, 0: { length } }) => wrap(pythonRight(code, index + length), ` ${wrong}(`, ")"),
  );
  const others = [...code.matchAll(/^[ \t]*assert\b(?=[ (])(?![^\n]*==)/gm)].map(({ index, 0: { length } }) =>
    wrap(pythonRight(code, index + length), " not (", ")"),
  );
  return [...calls, ...plain, ...others, ...[...truthsIn(code, "not (")].filter((one) => isCallOf(code, one))];
}

/** `assert (a)` is a statement of Python and handled as one. */
const isCallOf = (code: string, [first]: readonly Insertion[]): boolean =>
  first !== undefined && /assertTrue\s*\($/.test(code.slice(0, first.at));

/** A condition that leads to a failure of the test, turned round; of testify the opposite assertion. */
function inGo(code: string): Insertion[][] {
  const conditions = [...code.matchAll(/\bif\b([^\n{}]*)\{\s*(?=\w+\.(?:Error|Fatal|Fail)\w*\()/g)].map((match) => {
    const start = match.index + 2;
    const end = start + (match[1] ?? "").length;
    const from = Math.max(start, code.lastIndexOf(";", end - 1) + 1);
    return wrap([from, end], " !(", ") ");
  });
  const calls = [...code.matchAll(/\b(?:assert|require)\.(Equal)(?=\()/g)].map(({ index, 0: whole }) => {
    const at = index + whole.length - "Equal".length;
    return [{ at, until: at, text: "Not" }];
  });
  return [...conditions, ...calls];
}

function inRust(code: string): Insertion[][] {
  const equal = [...code.matchAll(/\bassert_eq!(?=\s*[([{])/g)].map(({ index }) => [
    { at: index, until: index + "assert_eq".length, text: "assert_ne" },
  ]);
  const holds = [...code.matchAll(/\bassert!\s*(?=\()/g)].map(({ index, 0: { length } }) =>
    wrap(argumentsAt(code, index + length)[0], "!(", ")"),
  );
  return [...equal, ...holds];
}

function insertionsIn(text: string, path: string, language: Language, by: number): Insertion[][] {
  const code = codeOnly(text, language);
  switch (language) {
    case "js":
      return inJs(code, path, by);
    case "python":
      return inPython(code, by);
    case "go":
      return inGo(code);
    case "rust":
      return inRust(code);
    case "shell":
      return [];
  }
}

/** The assertions of a test file, each with its compared value made wrong: the last, the first, then the others. */
export function wrongCompares(path: string, text: string, by: number, most: number): WrongCompare[] {
  const language = languageOf(path);
  if (language === null) return [];
  const found = insertionsIn(text, path, language, by)
    .filter((one) => one.length > 0)
    .toSorted((a, b) => (a[0]?.at ?? 0) - (b[0]?.at ?? 0));
  const [last, ...rest] = [found.at(-1), ...found.slice(0, -1)];
  return [...(last ? [last] : []), ...rest].slice(0, most).map((insertions) => ({
    text: change(text, insertions),
    line: text.slice(0, insertions[0]?.at ?? 0).split("\n").length,
  }));
}
