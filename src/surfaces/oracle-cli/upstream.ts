// Command lines of steipete/oracle: its spellings become ours before they are parsed. What has no meaning here is dropped
// with one note, and its other commands name what is used instead.

/** Options with another name here. */
const renamed: Readonly<Record<string, string>> = {
  "--include": "--file",
  "--files": "--file",
  "--path": "--file",
  "--paths": "--file",
  "--copy": "--copy-markdown",
  "--render-markdown": "--render",
  "--chatgpt-url": "--browser-url",
  "--preview": "--dry-run",
};

/** Options that take a value and change nothing here. */
const droppedWithValue = new Set([
  "--browser-model-strategy",
  "--browser-cookie-wait",
  "--browser-cookies",
  "--browser-inline-cookies",
  "--browser-inline-cookies-file",
  "--browser-cookie-names",
  "--browser-cookie-path",
  "--browser-chrome-profile",
  "--browser-chrome-path",
  "--browser-port",
  "--browser-attachments",
  "--browser-input-timeout",
  "--browser-timeout",
  "--browser-archive",
  "--remote-host",
  "--remote-token",
  "--search",
  "--notify-sound",
  "--retain-hours",
]);
const dropped = new Set([
  "-v",
  "--verbose",
  "--browser-manual-login",
  "--browser-keep-browser",
  "--browser-headless",
  "--browser-hide-window",
  "--browser-no-cookie-sync",
  "--browser-allow-cookie-errors",
  "--browser-inline-files",
  "--verbose-render",
  "--notify",
  "--no-notify",
  "--no-notify-sound",
  "--no-background",
  "--write-output-latest",
]);
/** Of these nobody needs to be told. */
const silent = new Set(["-v", "--verbose", "--browser-keep-browser", "--browser-manual-login"]);

/** How hard the model thinks, in upstream's words. */
const efforts: Readonly<Record<string, string>> = {
  light: "low",
  standard: "medium",
  extended: "high",
  heavy: "xhigh",
};

const commands: Readonly<Record<string, string>> = {
  tui: "There is no screen for sessions here. List them with: oracle status; follow one with: oracle attach ID",
  serve: "There is no server for remote browsers here. Run oracle on the machine that has the browser, e.g. over ssh.",
  bridge: "There is no bridge here. Run oracle on the machine that has the browser, e.g. over ssh.",
};

export interface Translated {
  readonly argv: readonly string[];
  /** One line about options that have no effect here. */
  readonly note: string | null;
  /** A command of upstream that is something else here: what to do, and whether only help was asked for. */
  readonly instead: { readonly text: string; readonly help: boolean } | null;
}

/** A value of an option in the next word or behind `=`. */
interface Word {
  readonly name: string;
  readonly value: string | undefined;
  /** How many words it takes. */
  readonly length: number;
}

function wordAt(argv: readonly string[], at: number): Word {
  const word = argv[at] ?? "";
  const split = word.startsWith("--") ? word.indexOf("=") : -1;
  if (split > 0) return { name: word.slice(0, split), value: word.slice(split + 1), length: 1 };
  const next = argv[at + 1];
  return next === undefined || next.startsWith("-")
    ? { name: word, value: undefined, length: 1 }
    : { name: word, value: next, length: 2 };
}

/** The words that one option becomes, or undefined when it stays as it is. */
function translate({ name, value, length }: Word): { words: string[]; length: number; ignored?: string } | undefined {
  const kept = (...words: string[]) => ({ words, length });
  if (droppedWithValue.has(name)) return { words: [], length, ignored: name };
  if (dropped.has(name)) return { words: [], length: 1, ignored: name };
  if (name === "--browser-bundle-files" && (value === undefined || value === "true")) return { words: [], length };
  if (name === "--browser-bundle-format" && value === "auto") return { words: [], length };
  if (name === "--timeout" && value === "auto") return { words: [], length };
  if (name === "--heartbeat" && (value === "off" || value === "false")) return kept("--heartbeat", "0");
  if ((name === "--thinking-time" || name === "--browser-thinking-time") && value !== undefined)
    return kept("--reasoning-effort", efforts[value] ?? value);
  const other = renamed[name];
  return other === undefined ? undefined : kept(other, ...(value === undefined ? [] : [value]));
}

const sessionOptions = new Set([
  "--render",
  "--render-markdown",
  "--hide-prompt",
  "--verbose-render",
  "--live",
  "--harvest",
]);

export function fromUpstream(argv: readonly string[]): Translated {
  const [first = ""] = argv;
  const text = commands[first];
  if (text !== undefined)
    return { argv, note: null, instead: { text, help: argv.includes("--help") || argv.includes("-h") } };
  if (first === "session") return { argv: argv.filter((word) => !sessionOptions.has(word)), note: null, instead: null };
  // The other commands have options of their own, and the text of a request may hold any word.
  if (first !== "" && !first.startsWith("-") && !/\s/.test(first)) return { argv, note: null, instead: null };
  const out: string[] = [];
  const ignored = new Set<string>();
  for (let at = 0; at < argv.length;) {
    const word = wordAt(argv, at);
    if (word.name === "--") {
      out.push(...argv.slice(at));
      break;
    }
    const isText = word.name === "-p" || word.name === "--prompt" || word.name === "-m" || word.name === "--message";
    const done = isText ? undefined : translate(word);
    if (done?.ignored !== undefined && !silent.has(done.ignored)) ignored.add(done.ignored);
    out.push(...(done?.words ?? argv.slice(at, at + (isText ? 2 : 1))));
    at += done?.length ?? (isText ? 2 : 1);
  }
  const names = [...ignored].join(", ");
  return { argv: out, note: names === "" ? null : `${names}: no effect here, see docs/oracle.md`, instead: null };
}
