// argv → a command and its parsed words; every mistake becomes one message with a remedy.
import { parseArgs } from "node:util";
import { fail, nearest } from "../../core/contract/index.ts";
import { calledAs, commonOptions, partsOf, type CommandSpec, type Flags, type OptionSpec } from "./spec.ts";

/**
 * The command that the leading words name (after the first `skip`), flags among them allowed, and what is left of argv.
 * `takesText`: the program also takes a quoted text in place of a command.
 */
export function findCommand(
  program: string,
  table: readonly CommandSpec[],
  argv: readonly string[],
  skip = 0,
  takesText = false,
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
    // A word behind an option may be the value of that option.
    const [last, next] = [words[length - 1], words[length]];
    if (next && next.index - 1 === last?.index) refuseNearMiss(program, table, spec, next.word);
    const taken = new Set(words.slice(0, length).map(({ index }) => index));
    return selectPart(
      table,
      spec,
      rest.filter((_, index) => !taken.has(index)),
    );
  }
  const first = words[0]?.word ?? "";
  const family = table.filter((candidate) => candidate.name.startsWith(`${first} `)).map((candidate) => candidate.name);
  const second = words[1]?.word;
  if (family.length > 0 && second !== undefined) {
    const meant = nearest(`${first} ${second}`, family);
    fail("invalid_input", `There is no command "${first} ${second}".`, {
      remedy: meant ? `Did you mean "${program} ${meant}"?` : `Try one of: ${family.join(", ")}`,
    });
  }
  if (family.length > 0)
    fail("invalid_input", `"${first}" needs a second word.`, { remedy: `Try one of: ${family.join(", ")}` });
  const known = table.filter(({ hidden }) => !hidden);
  const names = known.map((candidate) => candidate.name);
  const close = names.find((name) => name === otherWords.get(first)) ?? nearest(first, names);
  const meant = known.find(({ name }) => name === close);
  fail("invalid_input", `There is no command "${first}".`, {
    remedy: meant
      ? `Did you mean "${program} ${calledAs(meant)}"?`
      : `${takesText ? `A request is one text in quotes: ${program} "…", or ${program} -p WORD. ` : ""}Run: ${program} --help`,
  });
}

/** Words of other programs for what a command here does; by its letters another command would be nearer. */
const otherWords: ReadonlyMap<string, string> = new Map([
  ["accept", "approve"],
  ["cancel", "abort"],
  ["kill", "abort"],
  ["resume", "continue"],
  ["stop", "abort"],
  ["yes", "approve"],
]);

/** `show RUN --timeline` is the command that has this part. The first such option of the line selects it. */
function selectPart(
  table: readonly CommandSpec[],
  spec: CommandSpec,
  rest: string[],
): { spec: CommandSpec; rest: string[] } {
  const parts = partsOf(table, spec);
  const end = rest.indexOf("--");
  for (const [at, word] of (end < 0 ? rest : rest.slice(0, end)).entries()) {
    const [name, inline] = word.split(/=(.*)/s);
    const part = parts.find(({ nowIn }) => name === `--${nowIn?.option}`);
    if (!part) continue;
    if (part.nowIn?.value === undefined)
      return { spec: part, rest: inline === undefined ? rest.toSpliced(at, 1) : rest };
    const next = rest[at + 1]?.startsWith("-") === false ? [rest[at + 1] ?? ""] : [];
    const value = inline === undefined ? next : [inline];
    // The value is the last word of the part, wherever its option was.
    return {
      spec: part,
      rest: [...rest.toSpliced(at, inline === undefined ? 1 + next.length : 1), ...value],
    };
  }
  return { spec, rest };
}

/** `roles sett`: a command that takes no word was given one, and there is another that begins like it. */
function refuseNearMiss(program: string, table: readonly CommandSpec[], spec: CommandSpec, word: string): void {
  if (spec.args) return;
  const family = table.map(({ name }) => name).filter((name) => name.startsWith(`${spec.name} `));
  const close = nearest(`${spec.name} ${word}`, family);
  if (close)
    fail("invalid_input", `There is no command "${spec.name} ${word}".`, {
      remedy: `Did you mean "${program} ${close}"?`,
    });
}

/** Words before any `--`, with the values of common options left out, so that flags may stand before the command. */
export function leadingWords(argv: readonly string[]) {
  const words: { word: string; index: number }[] = [];
  for (let index = 0; index < argv.length && argv[index] !== "--"; index += 1) {
    const word = argv[index] ?? "";
    if (!word.startsWith("-")) words.push({ word, index });
    else if (commonOptions.some(({ name, short, value }) => value && (word === `--${name}` || word === `-${short}`)))
      index += 1;
  }
  return { words, rest: [...argv] };
}

export interface ParsedArgv {
  readonly words: Record<string, string | undefined>;
  readonly rest: string[];
  readonly flags: Flags;
}

export function parseCommand(
  program: string,
  spec: CommandSpec,
  argv: readonly string[],
  common: readonly OptionSpec[] = commonOptions,
): ParsedArgv {
  const options = [...common, ...(spec.options ?? [])];
  const cut = spec.passthrough ? argv.indexOf("--") : -1;
  const own = cut < 0 ? [...argv] : argv.slice(0, cut);
  const parsed = parseOptions(program, spec, options, own);
  const flags = readFlags(options, parsed.values);
  if (flags.on("help")) return { words: {}, rest: [], flags };
  const { words, rest } = placeWords(program, spec, parsed.positionals);
  return { words, rest: cut < 0 ? rest : [...rest, ...argv.slice(cut + 1)], flags };
}

type Values = Record<string, string | boolean | (string | boolean)[] | undefined>;

function parseOptions(program: string, spec: CommandSpec, options: readonly OptionSpec[], argv: string[]) {
  // Node loads its parser when it is first asked: a line without a word behind its command is quicker without it.
  if (argv.length === 0) return { values: {}, positionals: [] };
  const config = options.flatMap((option) => [
    [
      option.name,
      {
        type: option.value ? ("string" as const) : ("boolean" as const),
        multiple: option.many ?? false,
        ...(option.short ? { short: option.short } : {}),
      },
    ],
    ...(option.negative ? [[`no-${option.name}`, { type: "boolean" as const }]] : []),
  ]);
  const { values, positionals, tokens } = parseArgs({
    args: joinValues(options, argv),
    options: Object.fromEntries(config) as NonNullable<Parameters<typeof parseArgs>[0]>["options"] & {},
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const name = [program, calledAs(spec)].join(" ").trimEnd();
  const read: Values = { ...values };
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const negated = options.find((option) => option.negative && `no-${option.name}` === token.name);
    checkOption({ name, options, words: spec.args !== undefined }, token, negated);
    // Of a flag and its negative the last one counts.
    if (negated) read[negated.name] = false;
    else if (options.some((option) => option.negative && option.name === token.name)) read[token.name] = true;
  }
  return { values: read, positionals };
}

/**
 * Values that stand apart from their option, joined with it where the option takes more than the one word behind it:
 * `-f a b` becomes `--file=a --file=b`, and an option that may stand alone gets the value it then has.
 */
function joinValues(options: readonly OptionSpec[], argv: readonly string[]): string[] {
  const named = (word: string) => options.find((option) => word === `--${option.name}` || word === `-${option.short}`);
  const joined: string[] = [];
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? "";
    if (word === "--") return [...joined, ...argv.slice(at)];
    const option = named(word);
    const takes = (next: string) => !/^-./.test(next) || (option?.dashes === true && !named(next));
    const most = option?.several ? Infinity : option?.dashes || option?.alone !== undefined ? 1 : 0;
    const behind = argv.slice(at + 1, at + 1 + most);
    const end = behind.findIndex((next) => !takes(next));
    const taken = end === -1 ? behind : behind.slice(0, end);
    at += taken.length;
    for (const value of taken) joined.push(`--${option?.name}=${value}`);
    if (taken.length === 0) joined.push(option?.alone === undefined ? word : `--${option.name}=${option.alone}`);
  }
  return joined;
}

/** One option as it was written: `inlineValue` says whether its value stood behind an equals sign. */
interface Written {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

/** The command whose options are read, as refusals name it. */
interface Reader {
  readonly name: string;
  readonly options: readonly OptionSpec[];
  /** The command takes words beside options. */
  readonly words: boolean;
}

function checkOption(reader: Reader, written: Written, negated: OptionSpec | undefined): void {
  const { name, options } = reader;
  const known = negated ?? options.find((option) => option.name === written.name);
  if (!known) return refuseUnknown(reader, written.rawName);
  const option = negated ? written.rawName : `--${known.name}`;
  if (!known.value && written.value !== undefined)
    fail("invalid_input", `${option} takes no value.`, {
      remedy: `Write ${option} alone. Run: ${name} --help`,
    });
  // A separate word that begins with a dash is more likely the next option than a value.
  const looksLikeOption = !written.inlineValue && /^-./.test(written.value ?? "");
  if (known.value && (written.value === undefined || looksLikeOption))
    fail("invalid_input", `${option} needs a value.`, {
      remedy: known.choices
        ? `Give one of: ${known.choices.join(", ")}. Run: ${name} --help`
        : `One that starts with a dash is written ${option}=-1. Run: ${name} --help`,
    });
}

function refuseUnknown({ name, options, words }: Reader, unknown: string): never {
  const close = nearest(
    unknown.replace(/^-+/, ""),
    options.map((option) => option.name),
  );
  fail("invalid_input", `"${name}" has no option ${unknown}.`, {
    remedy: close
      ? `Did you mean --${close}?`
      : `${words ? "A text that starts with a dash goes last, after --. " : ""}Run: ${name} --help`,
  });
}

function readFlags(options: readonly OptionSpec[], values: Values): Flags {
  const known = (name: string) => {
    if (!options.some((option) => option.name === name)) throw new Error(`no option --${name} is declared`);
    return values[name];
  };
  return {
    on: (name) => known(name) === true,
    said: (name) => {
      const value = known(name);
      return typeof value === "boolean" ? value : undefined;
    },
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

function placeWords(program: string, spec: CommandSpec, positionals: readonly string[]) {
  const words: Record<string, string | undefined> = {};
  const rest: string[] = [];
  const left = [...positionals];
  for (const argument of spec.args ?? [])
    if (argument.rest) for (const word of left.splice(0)) rest.push(word);
    else words[argument.name] = left.shift();
  if (left.length > 0 && !spec.passthrough) refuseWord(`${program} ${calledAs(spec)}`.trimEnd(), spec, left[0] ?? "");
  return { words, rest: [...rest, ...left] };
}

function refuseWord(command: string, { args }: CommandSpec, word: string): never {
  fail("invalid_input", `"${command}" does not take "${word}".`, {
    remedy: `${args ? "A text with spaces needs quotes. " : ""}Run: ${command} --help`,
  });
}
