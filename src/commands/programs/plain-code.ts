// Inline code that only looks, or edits files it names: `node -p "require('./package.json').version"`. It is read token by
// token, and each name must be one that can only compute, print or touch a named file; otherwise the code stays unknown.
import type { PlainLanguage } from "./plain-languages.ts";

const token =
  /\s*(?:(r"(?:[^"\\\n]|\\[^"\n])*"|r'(?:[^'\\\n]|\\[^'\n])*'|f?"(?:[^"\\\n]|\\[nt])*"|f?'(?:[^'\\\n]|\\[nt])*')|([A-Za-z_$][\w$]*)|(\d[\d.]*)|(=>|\?\.|===?|!==?|&&|\|\||\?\?|[.,:;()[\]{}<>=!?+*%-]))/y;
/** Ways from a value to the code behind it. */
const waysOut =
  /^(constructor|prototype|env|environ|mainModule|binding|dlopen|modules|(gi|cr|ag|f|tb|co|func)_\w+|__(?!version__$)\w+)$/;
/** Modules that others bring along, behind a dot. */
const broughtAlong =
  /^_?(os|io|sys|subprocess|shutil|builtins|codecs|importlib|socket|posix\w*|nt|ctypes|signal|threading|tempfile|runpy|pickle|marshal|linecache|inspect|types|functools|operator|warnings)$/;

interface PlainCode {
  /** Every text in the code. */
  readonly texts: readonly string[];
  /** Files that the code may write. */
  readonly written: readonly string[];
}

/** Undefined when the code may do more than compute, print and touch the files it names. */
export function plainCode(code: string, language: PlainLanguage): PlainCode | undefined {
  const tokens = tokensOf(code.trim());
  if (!tokens || /"""|'''/.test(code)) return undefined;
  const imported = importedNames(tokens);
  const modules = modulesOf(tokens, language, imported);
  if (!modules || empties(tokens, language) || takesApart(tokens, language)) return undefined;
  const seen: Seen = { tokens, language, imported, modules, own: new Set(), files: [] };
  tokens.forEach((text, at) => {
    const assigned = tokens[at + 1] === "=" && tokens[at - 1] !== "." && !seen.imported.has(text);
    const isOwn = assigned || language.declares.has(tokens[at - 1] ?? "");
    const isTaken = language.taken.has(text) && !loadsModule(tokens, at + 2);
    if (isOwn && !isTaken && !seen.imported.has(text)) seen.own.add(text);
  });
  const isPlain = tokens.every((text, at) => {
    if (text === "[") return isPlainIndex(seen, at);
    return isName(text) ? isPlainName(seen, at) : isPlainSign(tokens, at);
  });
  if (!isPlain) return undefined;
  const { files } = seen;
  const written = files.filter(({ writes }) => writes).map(({ file }) => file);
  // An edit keeps what it does not change: a file that is written unseen is asked about.
  const kept = new Set(files.filter(({ reads }) => reads).map(({ file }) => file));
  const fills = tokens.some((text, at) => language.writes.has(text) && tokens[at + 1] === "(");
  if (written.some((file) => !kept.has(file) || !fills)) return undefined;
  const looksAround = tokens.some((text) => /^r?glob$/.test(text));
  const leaves = tokens.some((text) => isText(text) && /^\/|\.\./.test(between(text)));
  if (looksAround && (fills || leaves)) return undefined;
  return { texts: tokens.filter(isText).map(between), written };
}

/** The code loads a module with `require` here. */
const loadsModule = (tokens: readonly string[], at: number) =>
  tokens[at] === "require" &&
  tokens[at + 1] === "(" &&
  /^["'](node:)?(fs|path)["']$/.test(tokens[at + 2] ?? "");

/** Several names are set at once, a call hides behind `?.`, or a module is handed on as a value: not followed. */
function takesApart(tokens: readonly string[], { itemsByName }: PlainLanguage): boolean {
  return tokens.some((text, at) => {
    const next = tokens[at + 1] ?? "";
    if (text === ")" && next === "=") return true;
    if (itemsByName) return (text === "for" || text === "as") && /^[([]$/.test(next);
    if (/^[\]}]$/.test(text) && next === "=") return true;
    if (text === "?." && /^[([]$/.test(next)) return true;
    if (text === "." && next === ".") return true;
    if (!loadsModule(tokens, at)) return false;
    const behind = tokens[at + 4] ?? ";";
    const isNamed = tokens[at - 1] === "=" && /^(const|let|var)$/.test(tokens[at - 3] ?? "");
    return !(behind === "." || (isNamed && /^[;,]$|^\w/.test(behind)));
  });
}

/** The place lies between the parentheses of a call. */
function isInCall(tokens: readonly string[], at: number, { keywords }: PlainLanguage): boolean {
  let depth = 0;
  for (let from = at - 1; from >= 0; from -= 1) {
    const text = tokens[from] ?? "";
    if (/^[)\]}]$/.test(text)) depth += 1;
    if (!/^[([{]$/.test(text)) continue;
    if (depth > 0) depth -= 1;
    else return text === "(" && isName(tokens[from - 1] ?? "") && !keywords.has(tokens[from - 1] ?? "");
  }
  return false;
}

/** `write_text("")` leaves nothing of the file. */
const empties = (tokens: readonly string[], { writes }: PlainLanguage): boolean =>
  tokens.some(
    (text, at) =>
      writes.has(text) && tokens.slice(at + 1).some((one, next) => next < 4 && /^r?(""|'')$/.test(one)),
  );

interface OpenedFile {
  readonly file: string;
  readonly reads: boolean;
  readonly writes: boolean;
}

interface Seen {
  readonly tokens: readonly string[];
  readonly language: PlainLanguage;
  readonly imported: ReadonlySet<string>;
  readonly modules: ReadonlyMap<string, ReadonlySet<string>>;
  /** Names of the code's own. */
  readonly own: Set<string>;
  /** Files that are opened by name. */
  readonly files: OpenedFile[];
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

function isPlainName(seen: Seen, at: number): boolean {
  const { tokens, language, imported, own } = seen;
  const [before = "", text = "", next = ""] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  const behindDot = before === "." || before === "?.";
  if (waysOut.test(text) || (behindDot && broughtAlong.test(text))) return false;
  if (language.keywords.has(text)) return true;
  if (!isSafeValue(seen, at)) return false;
  // A letter before a text gives it a meaning that is not followed.
  if (isText(next)) return false;
  if (next === "(") return language.calls.has(text) && !changesDisk(tokens, at) && loadsPlainly(seen, at);
  if (language.values?.has(text) && /^[(,=]$/.test(before) && /^[),]$/.test(next))
    return isInCall(tokens, at, language);
  if (next === "=" && /^[(,]$/.test(before) && language.itemsByName && isInside(tokens, at)) return true;
  if (language.calls.has(text) && !imported.has(text)) return behindDot && next !== "=";
  if (language.calls.has(text) && before === "as") return false;
  if (behindDot) return true;
  return language.names.has(text) || own.has(text) || language.calls.has(text) || /^[a-z]$/.test(text);
}

/** A module is only a way to its calls and harmless values, and no function that acts is handed on for others to call. */
function isSafeValue({ tokens, language, modules }: Seen, at: number): boolean {
  const [before = "", text = "", next = ""] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  const behindDot = before === "." || before === "?.";
  if (next === "(") return true;
  if (behindDot) {
    const of = modules.get(tokens[at - 2] ?? "");
    if (of !== undefined && tokens[at - 3] !== ".") {
      const isShown =
        text === "path" && /^(print|join|pprint)\($/.test(tokens.slice(at - 4, at - 2).join(""));
      if (!(of.has(text) || (isShown && next === ")"))) return false;
      return next !== "=";
    }
    // A package may have a script `watch`: a name of the module for files counts where the code loads it.
    const acts =
      language.itemsByName || tokens.some((one) => isText(one) && /^(node:)?fs$/.test(between(one)));
    return !(acts && language.methods.test(text));
  }
  // Named in its own import, or followed by the name of a call or value.
  if (!modules.has(text) || next === "." || next === "?.") return true;
  return isImporting(tokens, at) || (next === "=" && loadsModule(tokens, at + 2));
}

/** The name stands in the statement that imports it. */
function isImporting(tokens: readonly string[], at: number): boolean {
  let start = at;
  while (
    start > 0 &&
    /^[\w.,]+$/.test(tokens[start - 1] ?? "") &&
    !/^(import|from)$/.test(tokens[start] ?? "")
  )
    start -= 1;
  return /^(import|from)$/.test(tokens[start] ?? "");
}

/** Modules by the names that they have in the code. Undefined where one gets a name that is not followed. */
function modulesOf(
  tokens: readonly string[],
  { modules, names }: PlainLanguage,
  imported: ReadonlySet<string>,
) {
  const found = new Map(Object.entries(modules));
  for (const [at, text] of tokens.entries())
    if (tokens[at + 1] === "=" && loadsModule(tokens, at + 2)) found.set(text, new Set());
  for (const name of imported) if (!found.has(name)) found.set(name, new Set());
  for (const [at, text] of tokens.entries()) {
    if (text !== "as" || !imported.has(tokens[at - 1] ?? "")) continue;
    // `from x import y as z`
    if (tokens[at - 3] === "from" || tokens[at - 4] === "from" || !names.has(tokens[at - 1] ?? ""))
      return undefined;
    found.set(tokens[at + 1] ?? "", modules[tokens[at - 1] ?? ""] ?? new Set());
  }
  return found;
}

/** A word before `=` within parentheses names an argument. */
const isInside = (tokens: readonly string[], at: number) =>
  tokens.slice(0, at).reduce((depth, text) => depth + Number(text === "(") - Number(text === ")"), 0) > 0;

/** Calls that do more on a path, or of another module, than their name says. */
function changesDisk(tokens: readonly string[], at: number): boolean {
  const behindDot = tokens[at - 1] === ".";
  if (tokens[at] === "open") return behindDot;
  if (tokens[at] === "load") return tokens.includes("yaml");
  // `text.replace` has two arguments, `path.replace` one.
  return (
    tokens[at] === "replace" &&
    behindDot &&
    tokens.includes("Path") &&
    (!/^(\w+|["'].*["']),/s.test(tokens.slice(at + 2, at + 4).join("")) || tokens[at + 4] === ")")
  );
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
function isPlainIndex({ tokens, own, language }: Seen, at: number): boolean {
  const before = tokens[at - 1] ?? "";
  if (!/[\w)\]]$/.test(before) || language.keywords.has(before)) return true;
  const inside = tokens.slice(at + 1, tokens.indexOf("]", at));
  if (inside.every((text) => /^(\d+|:|-)$/.test(text))) return true;
  const [only = "", ...more] = inside;
  if (more.length > 0) return false;
  return isText(only) || (language.itemsByName === true && own.has(only));
}

/** The call ends here, or behind words that say how a file is read or written. */
function endsPlainly(tokens: readonly string[], from: number): boolean {
  const end = tokens.indexOf(")", from);
  const how = /^(,["'](utf-?8|[rwax]?[bt]?\+?)["'])?(,(encoding|errors|newline)=["'][\w-]*["'])*$/i;
  return end > 0 && how.test(tokens.slice(from, end).join(""));
}

/** The text behind a name that is set once, to a text only, and is otherwise only handed on. */
function boundText({ tokens, language }: Seen, name: string): string | undefined {
  if (tokens.includes("=>") || tokens.includes("lambda")) return undefined;
  const places = tokens.flatMap((text, at) => (text === name ? [at] : []));
  const [set, ...more] = places.filter((at) => tokens[at + 1] === "=");
  if (set === undefined || more.length > 0) return undefined;
  const [before = ";", value = "", after = ";"] = [tokens[set - 1], tokens[set + 2], tokens[set + 3]];
  const starts = /^[;)]$|^\w/.test(before) || isText(before);
  const ends =
    after === ";" || (isName(after) && !language.keywords.has(after)) || startsStatement.test(after);
  const handedOn = places.every(
    (at) =>
      at === set ||
      (/^[(,]$/.test(tokens[at - 1] ?? "") &&
        /^[),]$/.test(tokens[at + 1] ?? "") &&
        isInCall(tokens, at, language)),
  );
  return isText(value) && starts && ends && handedOn ? value : undefined;
}

const startsStatement = /^(import|from|with|for|assert|try|const|let|var)$/;

/** How the call at `at` opens its file. */
function opens(tokens: readonly string[], at: number): { reads: boolean; writes: boolean } {
  const has = (call: string) => tokens.includes(call);
  switch (tokens[at]) {
    case "readFileSync":
      return { reads: true, writes: false };
    case "writeFileSync":
      return { reads: false, writes: true };
    case "Path":
      return { reads: has("read_text"), writes: has("write_text") };
    case "open": {
      const mode = tokens[at + 3] === "," ? (tokens[at + 4] ?? "") : "";
      const writes = /^["'](\w*[wax]\w*\+?|\w*\+)["']$/.test(mode) && !/utf/i.test(mode);
      return { reads: !writes, writes };
    }
    default:
      return { reads: false, writes: false };
  }
}

function loadsPlainly(seen: Seen, at: number): boolean {
  const { tokens, language, files } = seen;
  const name = tokens[at] ?? "";
  const shape = Object.hasOwn(language.loads, name) ? language.loads[name] : undefined;
  if (!shape) return true;
  const given = tokens[at + 2] ?? "";
  const argument = isText(given) ? given : boundText(seen, given);
  if (argument === undefined || !shape.test(between(argument))) return false;
  files.push({ file: between(argument), ...opens(tokens, at) });
  return name === "writeFileSync" ? tokens[at + 3] === "," : endsPlainly(tokens, at + 3);
}
