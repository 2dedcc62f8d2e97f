// A line that this program does not know, read as a line of the public preview.
import { fail } from "../../../core/contract/index.ts";
import { leadingWords } from "../../argv/index.ts";
import { formerCommands, formerOptions, type FormerOption } from "./table.ts";

/** The line under its new name, with the words for the person who typed the old one. */
export interface RenamedLine {
  readonly argv: readonly string[];
  readonly note: string;
}

/** The longest entry that the first words of the line name; words behind an option may be its value. */
function entryOf<T>(table: Readonly<Record<string, T>>, words: readonly string[]): [string, T] | undefined {
  for (let length = Math.min(4, words.length); length > 0; length -= 1) {
    const name = words.slice(0, length).join(" ");
    if (Object.hasOwn(table, name)) return [name, table[name] as T];
  }
  return undefined;
}

const optionName = (word: string): string => word.slice(2).split("=", 1)[0] ?? "";

const refuse = (line: string, now: string, why?: string): never =>
  fail("invalid_input", `"${line}" is how the public preview spelled it.${why === undefined ? "" : ` ${why}`}`, {
    remedy: `Here: ${now}. All of it: docs/guides/coming-from.md`,
  });

/** The value behind the option at `at`. */
function valueAt(own: readonly string[], at: number): string {
  const [, inline] = (own[at] ?? "").split(/=(.*)/s);
  const next = own[at + 1];
  return inline ?? (next !== undefined && !next.startsWith("-") ? next : "VALUE");
}

function renameOptions(
  name: string,
  options: Readonly<Record<string, FormerOption>>,
  own: readonly string[],
): RenamedLine | undefined {
  const notes: string[] = [];
  const argv = own.flatMap((word, at) => {
    const option = word.startsWith("--") ? optionName(word) : "";
    const former = Object.hasOwn(options, option) ? options[option] : undefined;
    if (!former) return [word];
    if ("now" in former) return refuse(`thehood ${name} --${option}`, former.now(valueAt(own, at)));
    notes.push("as" in former ? `--${option} is now --${former.as}` : `--${option} is not needed any more`);
    return "as" in former ? [`--${former.as}${word.slice(option.length + 2)}`] : [];
  });
  return notes.length === 0 ? undefined : { argv, note: `thehood ${name}: ${[...new Set(notes)].join(", ")}` };
}

/** Undefined when the line is no line of the preview either. */
export function translateLine(argv: readonly string[]): RenamedLine | undefined {
  const end = argv.indexOf("--");
  const own = end < 0 ? argv : argv.slice(0, end);
  const behind = end < 0 ? [] : argv.slice(end);
  const found = leadingWords(own).words;
  const words = found.map(({ word }) => word);
  const options = entryOf(formerOptions, words);
  const renamed = options && renameOptions(options[0], options[1], own);
  if (renamed) return { argv: [...renamed.argv, ...behind], note: renamed.note };
  const [name, command] = entryOf(formerCommands, words) ?? [];
  if (name === undefined || command === undefined) return undefined;
  const length = name.split(" ").length;
  if ("now" in command) return refuse(`thehood ${name}`, command.now(words.slice(length)), command.why);
  const taken = new Set(found.slice(0, length).map(({ index }) => index));
  const rest = own.filter((_, index) => !taken.has(index));
  return {
    argv: [...command.as.split(" "), ...rest, ...behind],
    note: `thehood ${name} is now thehood ${command.as}`,
  };
}
