// The names that may stand in inline code that only looks, or edits files it names.
import { words } from "./build.ts";

export interface PlainLanguage {
  readonly keywords: ReadonlySet<string>;
  /** Names that may stand alone. */
  readonly names: ReadonlySet<string>;
  /** Names that may be called, alone or behind a dot. */
  readonly calls: ReadonlySet<string>;
  /** Calls that may be handed on as values: they open nothing. */
  readonly values?: ReadonlySet<string>;
  /** Names whose functions could do harm when they are handed on: only these of their values may be read. */
  readonly modules: Readonly<Record<string, ReadonlySet<string>>>;
  /** Methods that change the disk: they are called by name or not at all. */
  readonly methods: RegExp;
  /** The one argument of a call that loads or opens something must be a text of this shape. */
  readonly loads: Readonly<Record<string, RegExp>>;
  /** Calls that write to the files that the code has opened. */
  readonly writes: ReadonlySet<string>;
  /** Names that follow one of these words are the code's own. */
  readonly declares: ReadonlySet<string>;
  /** Names that have a meaning already, and so never become the code's own. */
  readonly taken: ReadonlySet<string>;
  /** An index may be a variable: it names an item and never a method. */
  readonly itemsByName?: true;
}

const set = (text: string): ReadonlySet<string> => new Set(words(text));

const namedFile = /^[\w./@-]+$/;
/** A pattern that takes ordinary kinds of files only. */
const ordinaryFiles = /^(?!.*\.\.)[\w./*-]*\.(?!env|pem|key|p12|pfx|asc|gpg|jks)[a-z]{1,5}$/;

const javascript: PlainLanguage = {
  keywords: set("const let var true false null undefined typeof in of"),
  names: set("console JSON Object Array Math Number String process"),
  calls: set(
    "log error stringify parse keys values entries join map filter sort slice split trim includes startsWith endsWith flat flatMap at reverse toString toUpperCase toLowerCase padEnd padStart isArray round floor max min replace replaceAll trimEnd concat indexOf match test some every find forEach push require readFileSync writeFileSync existsSync readdirSync Number String Boolean",
  ),
  loads: {
    require: /^(\.\.?\/[\w./@-]+\.json|(node:)?(fs|path))$/,
    readFileSync: namedFile,
    writeFileSync: namedFile,
    existsSync: namedFile,
    readdirSync: namedFile,
  },
  writes: set("writeFileSync"),
  declares: set("const let var"),
  modules: {
    process: set("argv version versions platform arch exitCode release"),
    Object: set("keys values entries"),
    Array: set(""),
    JSON: set(""),
    Math: set("PI E"),
    Number: set("MAX_SAFE_INTEGER MIN_SAFE_INTEGER MAX_VALUE EPSILON"),
    String: set(""),
    console: set(""),
  },
  taken: set(
    "assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain events fs http http2 https inspector module net os path perf_hooks process punycode querystring readline repl sea sqlite stream string_decoder sys test timers tls trace_events tty url util v8 vm wasi worker_threads zlib exports require global globalThis root Function eval Reflect Proxy Symbol Object Array JSON Math Number String Boolean Promise Buffer WebAssembly WebSocket EventSource Worker fetch navigator performance setTimeout setInterval setImmediate queueMicrotask structuredClone Error RegExp Map Set Date Atomics SharedArrayBuffer ArrayBuffer localStorage sessionStorage",
  ),
  methods:
    /Sync$|^(appendFile|access|chown|chmod|close|copyFile|cp|createReadStream|createWriteStream|exists|fchown|fchmod|fdatasync|fstat|fsync|ftruncate|futimes|glob|lchown|lchmod|link|lstat|lutimes|mkdir|mkdtemp|open|openAsBlob|readdir|read|readv|readFile|readlink|realpath|rename|rm|rmdir|stat|statfs|symlink|truncate|unwatchFile|unlink|utimes|watch|watchFile|writeFile|write|writev|opendir|promises)$/,
};
const python: PlainLanguage = {
  keywords: set(
    "import from as for in if elif else not and or is True False None lambda with while break continue pass assert try except finally",
  ),
  names: set(
    "sys json platform re math datetime collections string textwrap ast csv tomllib pathlib statistics itertools hashlib pprint unicodedata decimal fractions glob yaml Exception KeyError ValueError",
  ),
  calls: set(
    "print len sorted list set dict tuple str int float bool range sum min max enumerate zip reversed any all repr round abs ord chr hex isinstance load loads dumps open read readline readlines splitlines split rsplit partition strip lstrip rstrip join keys values items get lower upper title startswith endswith replace count find index append extend add update setdefault python_version system machine Counter defaultdict most_common findall finditer search match fullmatch group groups span sub escape parse walk dump iter_child_nodes get_docstring literal_eval reader DictReader Path read_text exists is_file is_dir mean median pprint sha256 sha1 md5 hexdigest encode decode exit isdigit isalpha isupper islower glob rglob safe_load safe_dump write_text write writelines ljust rjust zfill name category",
  ),
  values: set("len str int float bool repr list set dict tuple"),
  loads: { open: namedFile, Path: namedFile, glob: ordinaryFiles, rglob: ordinaryFiles },
  writes: set("write_text write writelines dump safe_dump"),
  declares: set("for as lambda"),
  modules: {
    sys: set("version version_info argv stdin stdout stderr platform maxsize executable prefix byteorder"),
    math: set("pi e tau inf nan"),
    re: set("A I M S X ASCII IGNORECASE MULTILINE DOTALL VERBOSE"),
    string: set("ascii_letters ascii_lowercase ascii_uppercase digits hexdigits punctuation whitespace"),
    json: set("JSONDecodeError"),
    ast: set(
      "Module Import ImportFrom FunctionDef AsyncFunctionDef ClassDef Call Name Attribute Constant Assign AnnAssign Return Raise Try With If For While Dict List Tuple Expr arg keyword",
    ),
    pathlib: set("Path"),
    collections: set("Counter defaultdict"),
    tomllib: set("TOMLDecodeError"),
    yaml: set("YAMLError"),
  },
  methods:
    /^(rename|replace|touch|chmod|lchmod|mkdir|symlink_to|hardlink_to|link_to|write_bytes|write_text|open|copy|move|copy_into|move_into|write|writelines|dump|safe_dump|load)$/,
  taken: set(
    "eval exec compile getattr setattr delattr globals locals vars input breakpoint help type object super memoryview map filter property classmethod staticmethod callable dir iter next quit copyright credits license",
  ),
  itemsByName: true,
};
export const plainLanguages: Readonly<Record<string, PlainLanguage>> = { node: javascript, python };
