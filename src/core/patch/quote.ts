// git's C-style quoting of paths: `"a/caf\303\251"`. A path is printed with the quoting it was read with.

const named: Record<string, number> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, "\\": 92 };
const letters = new Map(Object.entries(named).map(([letter, code]) => [code, letter]));

interface Quoted {
  readonly bytes: string;
  /** Offset after the closing quote. */
  readonly end: number;
}

/** Reads a quoted name that starts at `at` (the quote itself). Undefined when git would not read it. */
export function readQuoted(text: string, at: number): Quoted | undefined {
  let bytes = "";
  for (let index = at + 1; index < text.length; index++) {
    const char = text[index] ?? "";
    if (char === '"') return { bytes, end: index + 1 };
    if (char === "\n") return undefined;
    if (char !== "\\") {
      bytes += char;
      continue;
    }
    const next = text[index + 1] ?? "";
    const octal = /^[0-3][0-7]{2}/.exec(text.slice(index + 1, index + 4))?.[0];
    if (octal !== undefined) {
      bytes += String.fromCharCode(Number.parseInt(octal, 8));
      index += 3;
    } else if (next in named) {
      bytes += String.fromCharCode(named[next] ?? 0);
      index += 1;
    } else return undefined;
  }
  return undefined;
}

const special = /[\0-\x1f"\\\x7f]/g;
const specialOrHigh = /[\0-\x1f"\\\x7f-\xff]/g;

function escaped(char: string): string {
  const code = char.charCodeAt(0);
  const letter = letters.get(code);
  return `\\${letter ?? code.toString(8).padStart(3, "0")}`;
}

/** `octal` writes high bytes as octal (core.quotePath on), `raw` as they are. */
export const quote = (bytes: string, quoting: "octal" | "raw"): string =>
  `"${bytes.replace(quoting === "octal" ? specialOrHigh : special, escaped)}"`;

/** git never writes such a name without quotes, and reads an unquoted one differently. */
export const needsQuotes = (bytes: string): boolean => bytes.search(special) !== -1;
