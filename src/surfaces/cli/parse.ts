// argv → a command and its parsed words; every mistake becomes one message with a remedy.
import { parseArgs } from "node:util";
import { fail } from "../../contract/index.ts";
import { nearest } from "../../contract/nearest/index.ts";
import { commonOptions, type ArgumentSpec, type CommandSpec, type Flags, type OptionSpec } from "./spec.ts";

/** The command that the leading words name (after the first `skip`), flags among them allowed, and what is left of argv. */
export function findCommand(
  table: readonly CommandSpec[],
  argv: readonly string[],
  skip = 0,
): { spec: CommandSpec; rest: string[] } {
  const { words: all, rest } = leadingWords(argv);
  const words = all.slice(skip);
  for (let length = Math.min(2, words.length); length > 0; length -= 1) {
    const name = words
      .slice(0, length)
      .map(({ word }) => word)
      .join(" ");
    const spec = table.find((candidate) => candidate.name === name);
    if (!spec) continue;
    refuseNearMiss(table, spec, words[length]?.word);
    const taken = new Set(words.slice(0, length).map(({ index }) => index));
    return { spec, rest: rest.filter((_, index) => !taken.has(index)) };
  }
  const first = words[0]?.word ?? "";
  const family = table
    .filter((candidate) => candidate.name.startsWith(`${first} `))
    .map((candidate) => candidate.name);
  if (family.length > 0)
    fail("invalid_input", `"${first}" needs a second word.`, { remedy: `Try one of: ${family.join(", ")}` });
  const close = nearest(
    first,
    table.map((candidate) => candidate.name),
  );
  fail("invalid_input", `There is no command "${first}".`, {
    remedy: close ? `Did you mean "thehood ${close}"?` : "Run: thehood --help",
  });
}

/** `roles sett`: a command that takes no word was given one, and there is another that begins like it. */
function refuseNearMiss(table: readonly CommandSpec[], spec: CommandSpec, word: string | undefined): void {
  if (word === undefined || spec.args) return;
  const family = table.map(({ name }) => name).filter((name) => name.startsWith(`${spec.name} `));
  const close = nearest(`${spec.name} ${word}`, family);
  if (close)
    fail("invalid_input", `There is no command "${spec.name} ${word}".`, {
      remedy: `Did you mean "thehood ${close}"?`,
    });
}

/** Words before any `--`, with the values of common options left out, so that flags may stand before the command. */
export function leadingWords(argv: readonly string[]) {
  const words: { word: string; index: number }[] = [];
  for (let index = 0; index < argv.length && argv[index] !== "--"; index += 1) {
    const word = argv[index] ?? "";
    if (!word.startsWith("-")) words.push({ word, index });
    else if (commonOptions.some((option) => option.value && word === `--${option.name}`)) index += 1;
  }
  return { words, rest: [...argv] };
}

export interface Parsed {
  readonly words: Record<string, string | undefined>;
  readonly rest: string[];
  readonly flags: Flags;
}

export function parseCommand(spec: CommandSpec, argv: readonly string[]): Parsed {
  const options = [...commonOptions, ...(spec.options ?? [])];
  const cut = spec.passthrough ? argv.indexOf("--") : -1;
  const own = cut < 0 ? [...argv] : argv.slice(0, cut);
  const parsed = parseOptions(spec, options, own);
  const flags = readFlags(options, parsed.values);
  if (flags.on("help")) return { words: {}, rest: [], flags };
  checkChoices(options, flags);
  const { words, rest } = placeWords(spec, parsed.positionals);
  return { words, rest: cut < 0 ? rest : [...rest, ...argv.slice(cut + 1)], flags };
}

type Values = Record<string, string | boolean | (string | boolean)[] | undefined>;

function parseOptions(spec: CommandSpec, options: readonly OptionSpec[], argv: string[]) {
  const config = Object.fromEntries(
    options.map((option) => [
      option.name,
      {
        type: option.value ? ("string" as const) : ("boolean" as const),
        multiple: option.many ?? false,
        ...(option.short ? { short: option.short } : {}),
      },
    ]),
  );
  const { values, positionals, tokens } = parseArgs({
    args: argv,
    options: config,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  for (const token of tokens) if (token.kind === "option") checkOption(spec, options, token);
  return { values: values as Values, positionals };
}

/** One option as it was written: `inlineValue` says whether its value stood behind an equals sign. */
interface Written {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function checkOption(spec: CommandSpec, options: readonly OptionSpec[], written: Written): void {
  const name = ["thehood", spec.name].join(" ").trimEnd();
  const known = options.find((option) => option.name === written.name);
  if (!known) return refuseUnknown(name, options, written.rawName);
  const option = `--${known.name}`;
  if (!known.value && written.value !== undefined)
    fail("invalid_input", `${option} takes no value.`, {
      remedy: `Write ${option} alone. Run: ${name} --help`,
    });
  // A separate word that begins with a dash is more likely the next option than a value.
  const looksLikeOption = !written.inlineValue && /^-./.test(written.value ?? "");
  if (known.value && (written.value === undefined || looksLikeOption))
    fail("invalid_input", `${option} needs a value.`, {
      remedy: `One that starts with a dash is written ${option}=-1. Run: ${name} --help`,
    });
}

function refuseUnknown(name: string, options: readonly OptionSpec[], unknown: string): never {
  const close = nearest(
    unknown.replace(/^-+/, ""),
    options.map((option) => option.name),
  );
  fail("invalid_input", `"${name}" has no option ${unknown}.`, {
    remedy: close
      ? `Did you mean --${close}?`
      : `A text that starts with a dash goes last, after --. Run: ${name} --help`,
  });
}

function readFlags(options: readonly OptionSpec[], values: Values): Flags {
  const known = (name: string) => {
    if (!options.some((option) => option.name === name)) throw new Error(`no option --${name} is declared`);
    return values[name];
  };
  return {
    on: (name) => known(name) === true,
    text: (name) => {
      const value = known(name);
      return typeof value === "string" ? value : undefined;
    },
    texts: (name) => {
      const value = known(name);
      return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
    },
  };
}

function checkChoices(options: readonly OptionSpec[], flags: Flags) {
  for (const option of options) {
    if (!option.choices) continue;
    const given = option.many
      ? flags.texts(option.name)
      : [flags.text(option.name) ?? option.choices[0] ?? ""];
    for (const value of given)
      if (!option.choices.includes(value))
        fail("invalid_input", `--${option.name} cannot be "${value}".`, {
          remedy: `It is one of: ${option.choices.join(", ")}`,
        });
  }
}

function placeWords(spec: CommandSpec, positionals: readonly string[]) {
  const words: Record<string, string | undefined> = {};
  const rest: string[] = [];
  const left = [...positionals];
  for (const argument of spec.args ?? []) {
    if (argument.rest) rest.push(...left.splice(0));
    else words[argument.name] = left.shift();
    requireWord(spec, argument, argument.rest ? rest[0] : words[argument.name]);
  }
  if (left.length > 0 && !spec.passthrough)
    fail("invalid_input", `"thehood ${spec.name}" does not take "${left[0]}".`, {
      remedy: `${spec.args ? "A text with spaces needs quotes. " : ""}Run: thehood ${spec.name} --help`,
    });
  return { words, rest: [...rest, ...left] };
}

function requireWord(spec: CommandSpec, argument: ArgumentSpec, value: string | undefined) {
  if (argument.optional || (value !== undefined && value !== "")) return;
  fail("invalid_input", `"thehood ${spec.name}" needs ${argument.help}.`, {
    remedy: `Run: thehood ${spec.name} --help`,
  });
}
