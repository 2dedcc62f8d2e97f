// Names that a line puts together from parts while it runs, as in `'pro' + 'cess'`. Ordinary code does not do that.
// Escapes are read, and parts of plain letters are joined. Pure.

const named: readonly (readonly [RegExp, number])[] = [
  [/\\x([0-9a-fA-F]{2})/g, 16],
  [/\\u\{([0-9a-fA-F]{1,6})\}/g, 16],
  [/\\u([0-9a-fA-F]{4})/g, 16],
];

/** Letters only: an escape for a sign that cannot be typed hides no name. */
const letter = (point: number, written: string): string =>
  point > 0x1f && point < 0x7f && /[\w./-]/.test(String.fromCodePoint(point)) ? String.fromCodePoint(point) : written;

/** A line with its escaped letters written out. */
export const unescaped = (line: string): string =>
  line.includes("\\")
    ? named.reduce(
        (text, [pattern, base]) =>
          text.replaceAll(pattern, (written, digits: string) => letter(Number.parseInt(digits, base), written)),
        line,
      )
    : line;

const word = "[A-Za-z_.:]{1,20}";
const parts: readonly RegExp[] = [
  // 'pro' + 'cess', in a row
  new RegExp(`(["'\`])${word}\\1(?:\\s*\\+\\s*(["'\`])${word}\\2)+`, "g"),
  // ['pro', 'cess'].join('')
  new RegExp(`\\[\\s*(["'\`])${word}\\1(?:\\s*,\\s*(["'\`])${word}\\2)+\\s*\\]\\s*\\.join\\([^)]{0,5}\\)`, "g"),
  // ''.join(['sy', 's'])
  new RegExp(`["'][_.]?["']\\.join\\(\\s*[[(]\\s*(["'])${word}\\1(?:\\s*,\\s*(["'])${word}\\2)+`, "g"),
];

/** Names of places where a program sees that it is tested, or could change its judge. */
const telling =
  /^(?:process|env|environ|argv|execArgv|exit|_exit|exitCode|reallyExit|sys|modules|stack|assert|node:assert|node:test|unittest|_?pytest|mocha|chai|vitest|jest|expect|NODE_?TEST\w*|VITEST\w*|JEST\w*|PYTEST\w*|globalThis|require|mainModule|eval|builtins|inspect|getframe|_getframe)$/;

/** The suspicious name that a line assembles, or a part of it. */
export function assembledName(line: string): string | undefined {
  for (const pattern of parts)
    for (const [found] of line.matchAll(pattern)) {
      const between =
        /\.join\(\s*["'`]([^"'`]{0,2})["'`]\s*\)$/.exec(found)?.[1] ?? /^["']([_.]?)["']\.join/.exec(found)?.[1] ?? "";
      const list = [
        ...found
          .replace(/^["'][_.]?["']\.join/, "")
          .replace(/\.join\([^)]*\)$/, "")
          .matchAll(/["'`]([A-Za-z_.:]{1,20})["'`]/g),
      ];
      const name = list.map(([, part = ""]) => part).join(between);
      if (list.length > 1 && (telling.test(name) || beginning.test(name))) return name;
    }
  return undefined;
}

/** A prefix that ordinary names do not have, where the rest is appended later. */
const beginning = /^(?:NODE_TE|PYTEST_|VITEST_|JEST_W|unitte|pytes)/;
