// Inline code that only reads: `node -p "require('./package.json').version"`, and edits by perl and ruby. A few complete
// forms are allowed; any other code is unknown, because one more name, call or index could run anything.
import type { Arg, CommandCall } from "../call.ts";
import { isLiteral } from "../lexer/pattern.ts";

const either = (...shapes: readonly string[]) => `(?:${shapes.join("|")})`;
/** The parts in sequence, with optional blanks between them. */
const row = (...parts: readonly string[]) => parts.join(String.raw`\s*`);
const listed = (shape: string) => `${shape}(?:${row("", ",", shape)})*`;

const text = String.raw`(?:"[^"'\\\n]*"|'[^"'\\\n]*')`;
const number = String.raw`-?\d+(?:\.\d+)?`;
const sumOfNumbers = String.raw`${number}(?:\s*(?:\*\*?|\/\/?|[-+%])\s*${number})*`;
/** A file name; the file is judged as a read. */
const file = String.raw`(?:"[\w./@-]+"|'[\w./@-]+')`;
const jsonFile = String.raw`(?:"\.\.?\/[\w./@-]+\.json"|'\.\.?\/[\w./@-]+\.json')`;
/** Keys that lead from a value to code are excluded. */
const word = String.raw`(?!constructor\b|prototype\b|__)[A-Za-z_$][\w$-]*`;
const key = String.raw`(?!constructor\b|prototype\b|__)[\w@$/.:-]+`;
const item = String.raw`\[(?:"${key}"|'${key}'|${number})\]`;
/** A path through JSON data: its last key must not be called. */
const way = String.raw`(?:\??\.(?:${word})(?!\s*[(\w$-])|${item}(?!\s*\())*`;

/** With `own`, the code has one variable: a file that it has loaded. */
function javascript(own: boolean): RegExp {
  const readsFile = row("readFileSync", String.raw`\(`, file, String.raw`(?:,\s*["']utf-?8["']\s*)?\)`);
  const loaded = (loads: string) => row("require", String.raw`\(`, loads, String.raw`\)`);
  const fs = either(loaded(String.raw`["'](?:node:)?fs["']`), String.raw`fs`);
  const parsed = row(String.raw`JSON\.parse`, String.raw`\(`, String.raw`${fs}\.${readsFile}`, String.raw`\)`);
  const runtimeInfo = String.raw`process\.(?:version\b|versions(?:\.\w+)?|platform\b|arch\b)`;
  const value = `${either(loaded(jsonFile), parsed, ...(own ? [String.raw`\k<own>`] : []))}${way}`;
  const keys = row(
    String.raw`Object\.(?:keys|values|entries)`,
    String.raw`\(`,
    value,
    String.raw`(?:\|\|\s*\{\}\s*)?\)`,
  );
  const ends = String.raw`(?:\.sort\(\))?(?:\.length\b|\.join\(${String.raw`(?:"[^"'\n]*"|'[^"'\n]*')`}\))?`;
  const printed = row(String.raw`JSON\.stringify`, String.raw`\(`, value, String.raw`(?:,\s*null\s*,\s*\d\s*)?\)`);
  const one = either(runtimeInfo, text, number, `${keys}${ends}`, printed, value);
  const sum = `${one}(?:${row("", String.raw`[-+*/%]`, one)})*`;
  const declares = String.raw`(?:const|let|var)\s+`;
  const files = String.raw`(?:${declares}fs\s*=\s*${loaded(String.raw`["'](?:node:)?fs["']`)}\s*;\s*)?`;
  const named = own ? String.raw`${declares}(?<own>[a-z]\w*)\s*=\s*${either(loaded(jsonFile), parsed)}\s*;\s*` : "";
  const log = row(String.raw`console\.log`, String.raw`\(`, listed(sum), String.raw`\)`);
  return new RegExp(`^${files}${named}${either(log, sum)};?$`);
}

function python(): RegExp {
  const known = "(?:sys|json|platform|ast|tomllib)";
  const imports = `import\\s+${listed(known)}`;
  const open = row(
    "open",
    String.raw`\(`,
    file,
    String.raw`(?:,\s*["']rb?["']\s*)?(?:,\s*encoding\s*=\s*["']utf-?8["']\s*)?\)`,
  );
  const read = `${open}\\.read\\(\\)`;
  const source = either(open, String.raw`sys\.stdin`);
  const loaded = either(
    row(String.raw`(?:json|tomllib)\.load`, String.raw`\(`, source, String.raw`\)`),
    row(String.raw`json\.loads`, String.raw`\(`, either(read, String.raw`sys\.stdin\.read\(\)`), String.raw`\)`),
  );
  const value = `${loaded}(?:${item})*`;
  const runtimeInfo = either(
    String.raw`sys\.(?:version|version_info|executable|path|prefix|platform|maxsize)(?:\[:?\d\])?`,
    String.raw`platform\.(?:python_version|system|machine)\(\)`,
  );
  const counted = row(either("len", "sorted", "list"), String.raw`\(`, value, String.raw`\)`);
  const written = String.raw`[[{](?:${text}|${number}|True|False|None|[\s,:[\]{}])*[\]}]`;
  const indented = String.raw`(?:,\s*(?:indent\s*=\s*\d|sort_keys\s*=\s*True)\s*)*\)`;
  const dumped = row(String.raw`json\.dumps`, String.raw`\(`, either(value, written), indented);
  const one = either(runtimeInfo, text, sumOfNumbers, counted, dumped, value);
  const parse = row(String.raw`ast\.parse`, String.raw`\(`, read, String.raw`\)`);
  const print = row("print", String.raw`\(`, listed(one), String.raw`\)`);
  const statement = either(print, parse, loaded);
  return new RegExp(`^\\s*(?:${imports}\\s*[;\\n]\\s*)?${statement}(?:\\s*[;\\n]\\s*${statement})*\\s*;?\\s*$`);
}

const shapes: Readonly<Record<"node" | "python", readonly RegExp[]>> = {
  node: [javascript(false), javascript(true)],
  python: [python()],
};

/** The string literals in code that only reads: each may name a file that it shows. Undefined when the code may do more. */
export function plainTexts(code: string, language: "node" | "python"): readonly string[] | undefined {
  const trimmed = code.trim();
  if (trimmed.length > 1_000 || !shapes[language].some((shape) => shape.test(trimmed))) return undefined;
  return [...code.matchAll(/"([^"]*)"|'([^']*)'/g)].map((found) => found[1] ?? found[2] ?? "");
}

/** In a pattern perl expands variables and can run `(?{ code })`; a dollar at the end is an anchor. */
const inPattern = String.raw`(?:[^\\$@\n(]|\\[^\n]|\$(?=[|)]|\1)|\((?!(?:\?\??|\*)\{))`;
/** In the replacement only matched groups may be inserted; an index after them would be code. */
const inText = String.raw`(?:[^\\$@\n]|\\[^\n]|\$[1-9&](?!\[|\{|->))`;
const replacement = new RegExp(
  String.raw`s([/|#,!~%])(?:(?!\1)${inPattern})*\1(?:(?!\1)${inText})*\1[gimsxr]*\s*(?:;\s*|$)`,
  "y",
);
/** `print if /text/`, `print "$.: $_" if /text/`: what `grep -n` does. */
const printing =
  /^print(?: "(?:[^"\\$@]|\\[nt]|\$[._1-9](?!\[|\{|->))*")? (?:if|unless) (\/)(?:(?!\/)(?:[^\\$@\n(]|\\[^\n]|\$(?=[|)/])|\((?!(?:\?\??|\*)\{)))*\/i?;?$/;

function onlyReplaces(code: string): boolean {
  const text = code.trim();
  let at = 0;
  while (at < text.length) {
    replacement.lastIndex = at;
    const found = replacement.exec(text);
    if (!found) return false;
    at = replacement.lastIndex;
  }
  return at > 0;
}

/** A pattern that changes a name and leaves the file in its folder. */
export const renamesPlainly = (code: string): boolean =>
  (code.startsWith("s/") && !code.includes("\\/") && onlyReplaces(code)) || /^y\/[\w.-]+\/[\w.-]+\/;?$/.test(code);

const touch = (call: CommandCall, files: readonly Arg[], writes: boolean): boolean => {
  // Perl opens `command|` as the output of a command, and `>file` for writing.
  if (files.some(({ text }) => /^-|^\s|\s$|[|<>&]/.test(text) || !isLiteral(text))) return false;
  if (writes && files.some(({ text }) => call.isAway(text))) return false;
  files.forEach((file) => (writes ? call.write(file) : call.read(file)));
  return true;
};

/** The letters before the code, the code and the files: `-0pi -e CODE FILE…`. */
function parts(args: readonly Arg[]): { letters: string; code: Arg; files: readonly Arg[] } | undefined {
  const at = args.findIndex(({ text }) => /^-(0\d*)?[lnp]*(i(\.\w+)?\s?)?e?$/.test(text) && text.endsWith("e"));
  const before = args.slice(0, at + 1).map(({ text }) => text);
  const code = args[at + 1];
  const known = before.every((text) => /^-(0\d*)?[lnp]*(i(\.\w+)?)?e?$/.test(text) && !/i.*e$/.test(text));
  if (at < 0 || !code || !known) return undefined;
  return { letters: before.join(""), code, files: args.slice(at + 2) };
}

export function editsByPerl(call: CommandCall): boolean {
  const found = parts(call.args);
  if (!found || !isLiteral(found.code.text)) return false;
  const { letters, code, files } = found;
  if (letters.includes("n") && printing.test(code.text)) return touch(call, files, letters.includes("i"));
  return letters.includes("p") && onlyReplaces(code.text) && touch(call, files, letters.includes("i"));
}

/** `$_.sub!("old", "new")`: texts and patterns without interpolation. */
const rubyText = String.raw`(?:"[^"\\#\n]*"|'[^'\\\n]*')`;
const rubySub = new RegExp(
  String.raw`^(?:\$_\.)?g?sub!?\(\s*(?:${rubyText}|/(?:[^/\\#\n]|\\[^\n])*/[im]*)\s*,\s*${rubyText}\s*\);?$`,
);

export function editsByRuby(call: CommandCall): boolean {
  const found = parts(call.args);
  if (!found || !isLiteral(found.code.text) || !found.letters.includes("p")) return false;
  return rubySub.test(found.code.text.trim()) && touch(call, found.files, found.letters.includes("i"));
}
