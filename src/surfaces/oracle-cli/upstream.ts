// Command lines of steipete/oracle: its spellings become ours before they are parsed. What has no meaning here is dropped
// with one note, and what something else does here is answered with the words to use.
import { type Meaning, upstreamOptions } from "./upstream-options.ts";
import { fromUpstreamCommand } from "./upstream-commands.ts";

export interface Translated {
  readonly argv: readonly string[];
  /** One line about options that have no effect here. */
  readonly note: string | null;
  /** What to use here instead, and whether only help was asked for. */
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

/** Options of both programs whose value may be missing, or a word that is none here. */
function respelled({ name, value }: Word): string[] | undefined {
  if (name === "--browser-bundle-files" && (value === undefined || value === "true")) return [];
  if (name === "--browser-bundle-format" && value === "auto") return [];
  if (name === "--search" && (value === "on" || value === "off")) return [value === "on" ? "--search" : "--no-search"];
  if (name === "--timeout" && value === "auto") return [];
  if (name === "--debug-help") return ["--help", "--all"];
  if (name === "--heartbeat" && (value === "off" || value === "false")) return ["--heartbeat", "0"];
  return undefined;
}

interface Step {
  readonly words: readonly string[];
  readonly length: number;
  readonly ignored?: string;
  readonly instead?: string;
}

/** The words that one option becomes, or undefined when it stays as it is. */
function translate(word: Word): Step | undefined {
  const { name, value, length } = word;
  const own = respelled(word);
  if (own !== undefined) return { words: own, length };
  const meaning: Meaning | undefined = Object.hasOwn(upstreamOptions, name) ? upstreamOptions[name] : undefined;
  if (meaning === undefined) return undefined;
  if ("instead" in meaning) return { words: [], length, instead: `${name}: ${meaning.instead}` };
  if ("drop" in meaning)
    return {
      words: [],
      length: meaning.drop === "flag" ? 1 : length,
      ...(meaning.silent ? {} : { ignored: name }),
    };
  if (value !== undefined && meaning.choices?.includes(value) === false)
    return { words: [], length, instead: `${name} cannot be "${value}". Give one of: ${meaning.choices.join(", ")}.` };
  if (meaning.read)
    return value === undefined
      ? { words: [], length, instead: `${name} needs a value.` }
      : { words: meaning.read(value), length };
  return { words: value === undefined ? [meaning.to] : [meaning.to, value], length };
}

/** Options whose next word is text, whatever it is, with their names here. */
const texts: Readonly<Record<string, string>> = {
  "-p": "-p",
  "--prompt": "--prompt",
  "--message": "--prompt",
  "-m": "-m",
  "--model": "--model",
  "--next": "--next",
  "--browser-follow-up": "--next",
  "--followup-prompt": "--followup-prompt",
  "--commit-message": "--commit-message",
};

export function fromUpstream(argv: readonly string[]): Translated {
  const [first = ""] = argv;
  if (argv.length === 2 && /^(--help|-h)$/.test(first) && /^(--verbose|-v)$/.test(argv[1] ?? ""))
    return { argv: ["--help", "--all"], note: null, instead: null };
  // The text of a request may hold any word.
  if (first !== "" && !first.startsWith("-") && !/\s/.test(first)) return fromUpstreamCommand(first, argv);
  const out: string[] = [];
  const ignored = new Set<string>();
  let advice: string | null = null;
  for (let at = 0; at < argv.length;) {
    const word = wordAt(argv, at);
    if (word.name === "--") {
      out.push(...argv.slice(at));
      break;
    }
    const [name = ""] = argv.slice(at);
    if (Object.hasOwn(texts, name)) {
      out.push(texts[name] ?? name, ...argv.slice(at + 1, at + 2));
      at += 2;
      continue;
    }
    const step = translate(word);
    if (step?.ignored !== undefined) ignored.add(step.ignored);
    advice ??= step?.instead ?? null;
    out.push(...(step?.words ?? argv.slice(at, at + 1)));
    at += step?.length ?? 1;
  }
  const names = [...ignored].join(", ");
  return {
    argv: out,
    note: names === "" ? null : `${names}: no effect here, see docs/oracle.md`,
    instead: advice === null ? null : { text: advice, help: false },
  };
}
