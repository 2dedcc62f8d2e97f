// Inline code that only looks: `node -p "require('./package.json').version"`. It is read token by token, and each name must
// be one that can only compute or print; with anything else in it the code stays unknown.
import { words } from "./build.ts";

interface PlainLanguage {
  readonly keywords: ReadonlySet<string>;
  /** Names that may stand alone. */
  readonly names: ReadonlySet<string>;
  /** Names that may be called, alone or behind a dot. */
  readonly calls: ReadonlySet<string>;
  /** The one argument of a call that loads or opens something must be a text of this shape. */
  readonly loads: Readonly<Record<string, RegExp>>;
  /** Names that follow one of these words are the code's own. */
  readonly declares: ReadonlySet<string>;
}

const set = (text: string): ReadonlySet<string> => new Set(words(text));

const javascript: PlainLanguage = {
  keywords: set("const let var true false null undefined typeof in of"),
  names: set("console JSON Object Array Math Number String process"),
  calls: set(
    "log error stringify parse keys values entries join map filter sort slice split trim includes startsWith endsWith flat flatMap at reverse toString toUpperCase toLowerCase padEnd padStart isArray round floor max min require readFileSync existsSync readdirSync Number String Boolean",
  ),
  loads: { require: /^(\.\.?\/[\w./@-]+\.json|(node:)?(fs|path))$/ },
  declares: set("const let var"),
};
const python: PlainLanguage = {
  keywords: set("import from as for in if else not and or is True False None lambda"),
  names: set("sys json platform re math datetime collections string textwrap"),
  calls: set(
    "print len sorted list set dict tuple str int float bool range sum min max enumerate zip reversed any all repr round load loads dumps open read readlines splitlines split strip join keys values items get lower upper startswith endswith replace count python_version system machine Counter findall search match group",
  ),
  loads: { open: /^[\w./@-]+$/ },
  declares: set("for as lambda"),
};
export const plainLanguages: Readonly<Record<string, PlainLanguage>> = { node: javascript, python };

const token =
  /\s*(?:("(?:[^"\\\n]|\\[nt])*"|'(?:[^'\\\n]|\\[nt])*')|([A-Za-z_$][\w$]*)|(\d[\d.]*)|(=>|\?\.|===?|!==?|&&|\|\||\?\?|[.,:;()[\]{}<>=!?+*%-]))/y;
/** Ways from a value to the code behind it. */
const waysOut = /^(constructor|prototype|env|environ|mainModule|binding|dlopen|modules|__(?!version__$)\w+)$/;

/** The texts in the code, when it can only compute and print; undefined when it may do more. */
export function plainTexts(code: string, language: PlainLanguage): string[] | undefined {
  const tokens = tokensOf(code.trim());
  if (!tokens) return undefined;
  const own = new Set(tokens.filter((_, at) => language.declares.has(tokens[at - 1] ?? "")));
  const isPlain = tokens.every((text, at) => {
    const [before = "", next = ""] = [tokens[at - 1], tokens[at + 1]];
    if (text === "(") return !/^[)\]}]$/.test(before);
    if (text === "[")
      return !/[\w)\]]$/.test(before) || isPlainIndex(tokens, at) || language.keywords.has(before);
    if (!/^[A-Za-z_$]/.test(text)) return !isText(text) || !waysOut.test(text.slice(1, -1));
    if (waysOut.test(text)) return false;
    if (language.keywords.has(text)) return true;
    if (next === "(") return language.calls.has(text) && loadsPlainly(tokens, at, language.loads[text]);
    if (language.calls.has(text)) return before !== "" && /^(\.|\?\.)$/.test(before) && next !== "=";
    if (before === "." || before === "?.") return true;
    return language.names.has(text) || own.has(text) || /^[a-z]$/.test(text);
  });
  return isPlain ? tokens.filter(isText).map((text) => text.slice(1, -1)) : undefined;
}

const isText = (text: string) => /^["']/.test(text);

function tokensOf(code: string): string[] | undefined {
  const found: string[] = [];
  for (token.lastIndex = 0; token.lastIndex < code.length;) {
    const match = token.exec(code);
    if (!match) return undefined;
    found.push(match[0].trim());
  }
  return found;
}

/** `[0]` and `["name"]`: a name that is put together could be any. */
const isPlainIndex = (tokens: readonly string[], at: number) =>
  /^(\d+|"[^"]*"|'[^']*')$/.test(tokens[at + 1] ?? "") && tokens[at + 2] === "]";

function loadsPlainly(tokens: readonly string[], at: number, shape: RegExp | undefined): boolean {
  if (!shape) return true;
  const argument = tokens[at + 2] ?? "";
  return isText(argument) && tokens[at + 3] === ")" && shape.test(argument.slice(1, -1));
}
