// Expands a word into fields like a shell: braces, tilde, variables that the line itself sets, globs, ANSI escapes. An
// unknown part becomes part of a pattern.
import type { WordPiece, Word } from "./lexer.ts";
import { ANY, ONE, STAR, soughtBy } from "./pattern.ts";

/** Markers for unquoted special characters during the expansion. */
const OPEN = "\uE010";
const CLOSE = "\uE011";
const COMMA = "\uE012";
const LEFT = "\uE013";
const RIGHT = "\uE014";
const TILDE = "\uE015";
const BREAK = "\uE016";

const marks: Readonly<Record<string, string>> = {
  "{": OPEN,
  "}": CLOSE,
  ",": COMMA,
  "*": STAR,
  "?": ONE,
  "[": LEFT,
  "]": RIGHT,
  "~": TILDE,
};
const unmarks: Readonly<Record<string, string>> = {
  [OPEN]: "{",
  [CLOSE]: "}",
  [COMMA]: ",",
  [LEFT]: "[",
  [RIGHT]: "]",
  [TILDE]: "~",
};

/** The maximum number of fields of one word; beyond it the word counts as unknown. */
const fieldLimit = 256;
const depthLimit = 6;

/** The values that the line assigns to each variable: several words when it is set more than once. */
type Variables = ReadonlyMap<string, readonly Word[]>;

/** Environment variables with a conventional value. */
const known: Readonly<Record<string, string>> = {
  HOME: "~",
  PWD: ".",
  TMPDIR: "/tmp",
  XDG_CONFIG_HOME: "~/.config",
  XDG_DATA_HOME: "~/.local/share",
  XDG_CACHE_HOME: "~/.cache",
  GNUPGHOME: "~/.gnupg",
  KUBECONFIG: "~/.kube/config",
  AWS_SHARED_CREDENTIALS_FILE: "~/.aws/credentials",
  /** The last job of this shell. */
  "!": "%!",
  "#": "0",
  "?": "0",
};

/** `choice` picks among the values of variables that are set more than once. */
export function expandWord(word: Word, variables: Variables, choice = 0): string[] {
  const raw = word.pieces.map((piece) => rawPiece(piece, variables, choice, 0)).join("");
  const braced = expandBraces(raw);
  return braced
    .flatMap((field) => field.split(BREAK))
    .filter(isField(word))
    .map(finish);
}

/** An unquoted empty value is removed; a quoted one is an empty field. */
const isField = (word: Word) => (field: string) =>
  field !== "" || word.pieces.every((piece) => piece.quoted && piece.kind === "text");

function rawPiece(piece: WordPiece, variables: Variables, choice: number, depth: number): string {
  if (piece.kind === "text") return piece.quoted ? piece.text : [...piece.text].map((c) => marks[c] ?? c).join("");
  if (piece.kind === "output") return printed(piece.source) ?? ANY;
  if (piece.kind !== "variable") return ANY;
  return variableText(piece, variables, choice, depth);
}

const revision = String.raw`[\w@][\w./@^~{}-]*`;
/** Commands whose output is an object name: neither an option nor a path outside the workspace. */
const namesObject = new RegExp(
  `^git (merge-base( --fork-point)?( ${revision})+|rev-parse( --verify| --short(=\\d+)?| -q| --quiet)* ${revision}|rev-list( -n ?1| -1| --max-parents=0| --max-count=1)+( ${revision})+)$`,
);

/** A list of names, filtered by a text. */
const filteredNames =
  /^\s*(?:ls\s[^|;&]*-\w*[aA]|find\s|git ls-files|fd\s[^|;&]*-\w*[Hu])[^|;&]*\|\s*[ef]?grep\s+(?:-[a-uw-zE]+\s+)*["']?([^\s"']+)["']?\s*$/;

/** Names of files below this folder. */
const listsOwn =
  /^\s*(?:git (?:ls-files|grep -\w*l|diff (?:[\w./@^~-]+ )*--name-only)|(?:rg|grep|egrep) -\w*l|rg --files|find \.)(?:\s[^;&|`$<>(){}\n]*)?$/;

/** Creates a new temporary file or folder. */
const makesTemporary =
  /^\s*mktemp(?: -[dqu]{1,3}| -t [\w.-]+| --directory| --suffix[= ][\w.-]+| \/tmp\/[\w.-]*X{3,}[\w.-]*| [\w.-]*X{3,}[\w.-]*)*\s*$/;

/** `dirname src/a/b.ts` and `basename src/a/b.ts`. */
const partOfPath = /^\s*(dirname|basename) (["']?)([\w.@+][\w./@+-]*\w)\2\s*$/;

const folderIn = (path: string) => (path.includes("/") ? path.slice(0, path.lastIndexOf("/")) || "/" : ".");

/** The output of a command when it follows from the command's text. */
function printed(source: string): string | undefined {
  if (namesObject.test(source.trim())) return "0000000";
  if (makesTemporary.test(source)) return "/tmp/tmp.XXXXXXXXXX";
  const [, part, , path = ""] = partOfPath.exec(source) ?? [];
  if (part !== undefined) return part === "dirname" ? folderIn(path) : (path.split("/").at(-1) ?? "");
  const filtered = filteredNames.exec(source)?.[1];
  const sought = filtered === undefined ? undefined : soughtBy(filtered);
  if (sought !== undefined) return sought;
  if (
    listsOwn.test(source) &&
    !/(^|[\s="'])(\/|~)|\.\.|\\\/|printf|-exec|-ok|--(format|no-index|line-prefix|label)|-i?name ["']?(config|HEAD|pre-|post-|commit-msg|\*["']?(\s|$))/.test(
      source,
    )
  )
    return `./${ANY}`;
  return /^\s*(?:echo|printf) (["']?)([\w./~@:+-]+)\1\s*$/.exec(source)?.[2];
}

function variableText(
  piece: Extract<WordPiece, { kind: "variable" }>,
  variables: Variables,
  choice: number,
  depth: number,
): string {
  const set = variables.get(piece.name);
  const fallback = /^:?[-=+]([^"'`$\\]*)$/.exec(piece.rest)?.[1];
  if (set === undefined || set.length === 0 || depth > depthLimit) {
    if (piece.rest === "" && piece.name in known) return known[piece.name] ?? ANY;
    if (fallback !== undefined && choice % 2 === 1) return piece.quoted ? fallback : split(fallback);
    return ANY;
  }
  const trim = trims(piece.rest);
  if (piece.rest !== "" && fallback === undefined && !trim && !/^\[[@*\d]+\]$/.test(piece.rest)) return ANY;
  const list = piece.rest.startsWith("[") || piece.name === "@" ? set : [set[choice % set.length] ?? set[0]];
  const texts = list.map((word) =>
    (trim ?? same)((word?.pieces ?? []).map((inner) => rawPiece(inner, variables, choice, depth + 1)).join("")),
  );
  return piece.quoted && list.length === 1 ? (texts[0] ?? ANY) : texts.map(split).join(BREAK);
}

const same = (text: string) => text;

/** Removes a part of the value: a suffix, the extension, the folder or the name. */
function trims(rest: string): ((text: string) => string) | undefined {
  const ending = /^%([\w.-]+)$/.exec(rest)?.[1];
  if (ending !== undefined) return (text) => (text.endsWith(ending) ? text.slice(0, -ending.length) : ANY);
  const cuts: Readonly<Record<string, RegExp>> = { "%.*": /\.[^./]*$/, "##*/": /^.*\//s, "%/*": /\/[^/]*$/ };
  const cut = Object.hasOwn(cuts, rest) ? cuts[rest] : undefined;
  return cut && ((text) => (text.includes(ANY) ? ANY : text.replace(cut, "")));
}

const split = (text: string) => [...text.replaceAll(/[ \t\n]+/g, BREAK)].map((c) => globMarks[c] ?? c).join("");
const globMarks: Readonly<Record<string, string>> = { "*": STAR, "?": ONE, "[": LEFT, "]": RIGHT };

/** `a{b,c}d` → two fields; `{1..9}` → one unknown field; more than the limit → one unknown field. */
function expandBraces(text: string): string[] {
  let left = fieldLimit;
  const expand = (field: string): string[] => {
    left -= 1;
    const parts = left > 0 ? splitBraces(field) : undefined;
    return parts ? parts.flatMap(expand) : [field];
  };
  const fields = expand(text);
  return left > 0 ? fields : [ANY];
}

/** The alternatives of the first real brace group, or undefined when there is none. */
function splitBraces(text: string): string[] | undefined {
  for (let open = text.indexOf(OPEN); open >= 0; open = text.indexOf(OPEN, open + 1)) {
    const commas: number[] = [];
    let depth = 0;
    for (let at = open + 1; at < text.length; at += 1) {
      const char = text[at];
      if (char === OPEN) depth += 1;
      else if (char === COMMA && depth === 0) commas.push(at);
      else if (char === CLOSE && depth > 0) depth -= 1;
      else if (char === CLOSE) {
        const inner = text.slice(open + 1, at);
        const [head, tail] = [text.slice(0, open), text.slice(at + 1)];
        if (commas.length > 0) return cut(text, open, at, commas).map((part) => head + part + tail);
        if (/^[^]+\.\.[^]+$/.test(inner)) return [head + ANY + tail];
        break;
      }
    }
  }
  return undefined;
}

function cut(text: string, open: number, close: number, commas: readonly number[]): string[] {
  const edges = [open, ...commas, close];
  return edges.slice(1).map((edge, index) => text.slice((edges[index] ?? 0) + 1, edge));
}

/** Expands the tilde at the start and brackets, and restores the other markers to their characters. */
function finish(field: string): string {
  let text = field;
  if (text.startsWith(TILDE)) text = tilde(text);
  // `x=~/y` and `--opt=~/y` keep the tilde: it means the home as well.
  text = text.replaceAll(new RegExp(`${LEFT}[^/${RIGHT}]+${RIGHT}`, "g"), ONE);
  return [...text].map((char) => unmarks[char] ?? char).join("");
}

function tilde(text: string): string {
  const [head = "", ...rest] = text.slice(1).split("/");
  const tail = rest.length > 0 ? `/${rest.join("/")}` : "";
  if (head === "") return `~${tail}`;
  if (head === "+") return `.${tail}`;
  if (head === "-") return `${ANY}${tail}`;
  return `/home/${head}${tail}`;
}

/** The number of expansions to try: the largest number of values of one variable, at most 16. */
export function countWays(words: readonly Word[], variables: Variables): number {
  let ways = 1;
  for (const piece of words.flatMap((word) => word.pieces))
    if (piece.kind === "variable")
      ways = Math.max(ways, variables.get(piece.name)?.length ?? 1, /^:?[-=+]/.test(piece.rest) ? 2 : 1);
  return Math.min(ways, 16);
}

const simple: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  e: "\x1b",
  E: "\x1b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "?": "?",
};

const escape = /\\(?:([0-7]{1,3})|x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|c([^])|([^]))/g;

function point(text: string, base: number): string {
  const value = Number.parseInt(text, base);
  return value > 0x10ffff ? "\ufffd" : String.fromCodePoint(value);
}

export function decodeAnsi(text: string): string {
  return text.replaceAll(
    escape,
    (whole, octal?: string, hex?: string, short?: string, long?: string, control?: string, other?: string) => {
      if (octal !== undefined) return point(String(Number.parseInt(octal, 8) & 0xff), 10);
      const code = hex ?? short ?? long;
      if (code !== undefined) return point(code, 16);
      if (control !== undefined) return point(String(control.charCodeAt(0) & 0x1f), 10);
      return simple[other ?? ""] ?? whole;
    },
  );
}
