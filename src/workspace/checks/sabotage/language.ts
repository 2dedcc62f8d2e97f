// The languages whose code can be broken on purpose, by the ending of a file, and a view of a text without its words:
// strings and comments are blanked, so that patterns see code only and every position stays.

export type Language = "js" | "python" | "go" | "rust" | "shell";

const endings: readonly (readonly [RegExp, Language])[] = [
  [/\.[cm]?[jt]sx?$/, "js"],
  [/\.py$/, "python"],
  [/\.go$/, "go"],
  [/\.rs$/, "rust"],
  [/\.(?:sh|bash|bats)$/, "shell"],
];

export const languageOf = (path: string): Language | null =>
  endings.find(([pattern]) => pattern.test(path))?.[1] ?? null;

/** Code whose expectations can be turned wrong, also where its functions are not known. */
const otherCode =
  /\.(?:c|cc|cpp|cxx|m|mm|java|kts?|scala|groovy|swift|rb|php|pl|pm|t|lua|exs?|cs|fs|clj|hs|ml|r|jl|dart|zig|tcl)$/i;

export const isCode = (path: string): boolean => languageOf(path) !== null || otherCode.test(path);

/** Each pattern begins a part that is not code. Sticky: it is tried at one position. */
const slashes = String.raw`\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)`;
const quotes = String.raw`"(?:[^"\\\n]|\\[^])*"?`;
const words: Readonly<Record<Language, RegExp>> = {
  js: new RegExp(
    `${slashes}|${quotes}|'(?:[^'\\\\\\n]|\\\\[^])*'?|\`(?:[^\`\\\\]|\\\\[^])*\`?|(?<=(?:^|[(,=:[!&|?{};]|return)\\s*)\\/(?![*/])(?:[^/\\\\\\n[]|\\\\.|\\[(?:[^\\]\\\\\\n]|\\\\.){0,300}\\]){1,300}\\/[a-z]*`,
    "y",
  ),
  python: /#[^\n]*|"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|"(?:[^"\\\n]|\\[^])*"?|'(?:[^'\\\n]|\\[^])*'?/y,
  go: new RegExp(`${slashes}|${quotes}|\`[^\`]*\`?|'(?:[^'\\\\\\n]|\\\\.[^']*)'`, "y"),
  rust: new RegExp(`${slashes}|${quotes}|'(?:[^'\\\\\\n]|\\\\[^'\\n]+)'`, "y"),
  shell: /#[^\n]*|"(?:[^"\\]|\\[^])*"?|'[^']*'?/y,
};

const longest = 2_000_000;

let last: { readonly text: string; readonly language: Language; readonly code: string } | undefined;

/** The text with strings and comments blanked, line ends kept; empty for a text over the limit. */
export function codeOnly(text: string, language: Language): string {
  if (text.length > longest) return "";
  // One file is read for each of its functions.
  if (last?.text !== text || last.language !== language) last = { text, language, code: blanked(text, language) };
  return last.code;
}

function blanked(text: string, language: Language): string {
  const pattern = words[language];
  let code = "";
  for (let at = 0; at < text.length;) {
    const char = text[at] ?? "";
    pattern.lastIndex = at;
    const found = /["'`#/]/.test(char) ? pattern.exec(text)?.[0] : undefined;
    code += found ? found.replaceAll(/[^\n]/g, " ") : char;
    at += found?.length ?? 1;
  }
  return code;
}

/** The position behind the bracket that closes the one at `open`, or -1. */
export function closing(code: string, open: number): number {
  const pairs: Readonly<Record<string, string>> = { "(": ")", "{": "}", "[": "]" };
  const [begin, end] = [code[open] ?? "", pairs[code[open] ?? ""] ?? ""];
  let depth = 0;
  for (let at = open; at < code.length; at += 1)
    if (code[at] === begin) depth += 1;
    else if (code[at] === end && (depth -= 1) === 0) return at + 1;
  return -1;
}

export interface Token {
  readonly text: string;
  /** 0-based. */
  readonly line: number;
  /** An end of a line stands before it. */
  readonly lineBefore: boolean;
}

const comment: Readonly<Record<Language, RegExp>> = {
  js: /^\/[/*]/,
  go: /^\/[/*]/,
  rust: /^\/[/*]/,
  python: /^#/,
  shell: /^#/,
};

/** Names, strings and signs of a text, without comments and blanks. */
export function tokensOf(text: string, language: Language): Token[] {
  const pattern = words[language];
  const tokens: Token[] = [];
  let line = 0;
  let lineBefore = false;
  for (let at = 0; at < text.length;) {
    const char = text[at] ?? "";
    pattern.lastIndex = at;
    const part = /["'`#/]/.test(char) ? pattern.exec(text)?.[0] : undefined;
    const found = part ?? /^(?:\s+|[\w$.]+|\+\+|--|[^\s])/u.exec(text.slice(at, at + 300))?.[0] ?? char;
    const ends = found.split("\n").length - 1;
    const isBlank = /^\s+$/.test(found) || (part !== undefined && comment[language].test(part));
    if (!isBlank) tokens.push({ text: found, line, lineBefore });
    line += ends;
    lineBefore = isBlank ? lineBefore || ends > 0 : ends > 0;
    at += found.length;
  }
  return tokens;
}
