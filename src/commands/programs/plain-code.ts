// Inline code that only looks: `node -p "require('./package.json').version"`. It is read token by token, and each name must
// be one that can only compute or print; with anything else in it the code stays unknown.
import { words } from "./build.ts";

interface PlainLanguage {
  readonly keywords: ReadonlySet<string>;
  /** Names that may stand alone. */
  readonly names: ReadonlySet<string>;
  /** Names that may be called, alone or behind a dot. */
  readonly calls: ReadonlySet<string>;
  /** Calls that may be handed on as values: they open nothing. */
  readonly values?: ReadonlySet<string>;
  /** The one argument of a call that loads or opens something must be a text of this shape. */
  readonly loads: Readonly<Record<string, RegExp>>;
  /** Names that follow one of these words are the code's own. */
  readonly declares: ReadonlySet<string>;
  /** An index may be a variable: it names an item and never a method. */
  readonly itemsByName?: true;
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
  keywords: set(
    "import from as for in if elif else not and or is True False None lambda with while break continue pass assert try except finally",
  ),
  names: set(
    "sys json platform re math datetime collections string textwrap ast csv tomllib pathlib statistics itertools hashlib pprint unicodedata decimal fractions Exception KeyError ValueError",
  ),
  calls: set(
    "print len sorted list set dict tuple str int float bool range sum min max enumerate zip reversed any all repr round abs ord chr hex isinstance load loads dumps open read readline readlines splitlines split rsplit partition strip lstrip rstrip join keys values items get lower upper title startswith endswith replace count find index append extend add update setdefault python_version system machine Counter defaultdict most_common findall finditer search match fullmatch group groups span sub escape parse walk dump iter_child_nodes get_docstring literal_eval reader DictReader Path read_text exists is_file is_dir mean median pprint sha256 sha1 md5 hexdigest encode decode exit isdigit isalpha isupper islower ljust rjust zfill name category",
  ),
  values: set("len str int float bool repr list set dict tuple"),
  loads: { open: /^[\w./@-]+$/, Path: /^[\w./@-]+$/ },
  declares: set("for as lambda"),
  itemsByName: true,
};
export const plainLanguages: Readonly<Record<string, PlainLanguage>> = { node: javascript, python };

const token =
  /\s*(?:(r"(?:[^"\\\n]|\\[^"\n])*"|r'(?:[^'\\\n]|\\[^'\n])*'|f?"(?:[^"\\\n]|\\[nt])*"|f?'(?:[^'\\\n]|\\[nt])*')|([A-Za-z_$][\w$]*)|(\d[\d.]*)|(=>|\?\.|===?|!==?|&&|\|\||\?\?|[.,:;()[\]{}<>=!?+*%-]))/y;
/** Ways from a value to the code behind it. */
const waysOut = /^(constructor|prototype|env|environ|mainModule|binding|dlopen|modules|__(?!version__$)\w+)$/;
/** Modules that others bring along, behind a dot. */
const broughtAlong =
  /^_?(os|io|sys|subprocess|shutil|builtins|codecs|importlib|socket|posix\w*|nt|ctypes|signal|threading|tempfile|runpy|pickle|marshal|glob|linecache|inspect|types|functools|operator|warnings)$/;

/** The texts in the code, when it can only compute and print; undefined when it may do more. */
export function plainTexts(code: string, language: PlainLanguage): string[] | undefined {
  const tokens = tokensOf(code.trim());
  if (!tokens || /"""|'''/.test(code)) return undefined;
  const imported = importedNames(tokens);
  const own = new Set(
    tokens.filter(
      (text, at) =>
        language.declares.has(tokens[at - 1] ?? "") ||
        (tokens[at + 1] === "=" && tokens[at - 1] !== "." && !imported.has(text)),
    ),
  );
  const isPlain = tokens.every((text, at) => {
    if (text === "[") return isPlainIndex(tokens, at, own, language);
    return isName(text) ? isPlainName(tokens, at, own, imported, language) : isPlainSign(tokens, at);
  });
  return isPlain ? tokens.filter(isText).map(between) : undefined;
}

const isName = (text: string) => /^[A-Za-z_$]/.test(text) && !isText(text);
const isText = (text: string) => /^r?["']/.test(text);
/** The characters between the quotes. */
const between = (text: string) => text.replace(/^r(?=["'])/, "").slice(1, -1);

function isPlainSign(tokens: readonly string[], at: number): boolean {
  const [text = "", before = ""] = [tokens[at], tokens[at - 1]];
  if (text === "(") return !/^[)\]}]$/.test(before);
  return !isText(text) || !waysOut.test(between(text));
}

function isPlainName(
  tokens: readonly string[],
  at: number,
  own: ReadonlySet<string>,
  imported: ReadonlySet<string>,
  language: PlainLanguage,
): boolean {
  const [before = "", text = "", next = ""] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  const behindDot = before === "." || before === "?.";
  if (waysOut.test(text) || (behindDot && broughtAlong.test(text))) return false;
  if (language.keywords.has(text)) return true;
  // A letter before a text gives it a meaning that is not followed.
  if (isText(next)) return false;
  if (next === "(") {
    // Of a path these two change the disk.
    if (behindDot && (text === "open" || (text === "replace" && tokens.includes("Path")))) return false;
    return language.calls.has(text) && loadsPlainly(tokens, at, language.loads[text]);
  }
  if (language.values?.has(text) && /^[(,=]$/.test(before) && /^[),]$/.test(next)) return true;
  if (language.calls.has(text) && !imported.has(text)) return behindDot && next !== "=";
  if (language.calls.has(text) && before === "as") return false;
  if (behindDot) return true;
  return language.names.has(text) || own.has(text) || language.calls.has(text) || /^[a-z]$/.test(text);
}

/** The names behind `import` and `from`; a name of the code's own choice behind `as` is none of them. */
function importedNames(tokens: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  tokens.forEach((word, start) => {
    if (word !== "import" && word !== "from") return;
    for (let at = start + 1; isName(tokens[at] ?? ""); at += 2) {
      found.add(tokens[at] ?? "");
      if (tokens[at + 1] === "as") at += 2;
      if (!/^[.,]$/.test(tokens[at + 1] ?? "")) break;
    }
  });
  return found;
}

function tokensOf(code: string): string[] | undefined {
  const found: string[] = [];
  for (token.lastIndex = 0; token.lastIndex < code.length;) {
    const match = token.exec(code);
    if (!match) return undefined;
    const text = match[0].trim();
    const at = token.lastIndex;
    if (!/^f["']/.test(text)) found.push(text);
    else {
      const parts = filledIn(text.slice(2, -1));
      if (!parts) return undefined;
      found.push(...parts);
    }
    token.lastIndex = at;
  }
  return found;
}

/** The parts of a text with places that are filled in: `{name}`, `{len(x):>5}`. */
function filledIn(text: string): string[] | undefined {
  const found = ['""'];
  for (const [index, part] of text.split(/(\{[^{}]*\})/).entries()) {
    if (index % 2 === 0) {
      if (/[{}"']/.test(part)) return undefined;
      found.push(",", `"${part}"`);
      continue;
    }
    const inner = tokensOf(part.slice(1, -1).replace(/(![rsa])?(:[\w<>^=+,.%-]*)?$/, ""));
    if (!inner) return undefined;
    found.push(",", "(", ...inner, ")");
  }
  return found;
}

/** `[0]`, `["name"]`, `[1:]`: a name that is put together could be any. */
function isPlainIndex(
  tokens: readonly string[],
  at: number,
  own: ReadonlySet<string>,
  language: PlainLanguage,
): boolean {
  const before = tokens[at - 1] ?? "";
  if (!/[\w)\]]$/.test(before) || language.keywords.has(before)) return true;
  const inside = tokens.slice(at + 1, tokens.indexOf("]", at));
  if (inside.every((text) => /^(\d+|:|-)$/.test(text))) return true;
  const [only = "", ...more] = inside;
  if (more.length > 0) return false;
  return isText(only) || (language.itemsByName === true && own.has(only));
}

/** The call ends here, or behind words that say how a file is read. */
function endsPlainly(tokens: readonly string[], from: number): boolean {
  const end = tokens.indexOf(")", from);
  return (
    end > 0 &&
    /^(,["']r?[bt]?["'])?(,(encoding|errors)=["'][\w-]+["'])*$/.test(tokens.slice(from, end).join(""))
  );
}

function loadsPlainly(tokens: readonly string[], at: number, shape: RegExp | undefined): boolean {
  if (!shape) return true;
  const argument = tokens[at + 2] ?? "";
  return isText(argument) && endsPlainly(tokens, at + 3) && shape.test(between(argument));
}
