// An operation as a command: its words and options for help, parsing and completions, and its input from what was typed.
import {
  accepted,
  cliName,
  fieldsOn,
  type AnyOperation,
  type Field,
  type Fields,
} from "../../operations/define/index.ts";
import { readJsonInput, sourceOf, textOf } from "./input.ts";
import type { ParsedArgv } from "./parse.ts";
import type { ArgumentSpec, CommandSpec, Io, OptionSpec } from "./spec.ts";

/** The fields a person can say. */
function spoken({ input, cli }: AnyOperation): Fields {
  const fixed = cli?.fixed ?? {};
  const fields = Object.entries(fieldsOn("cli", input));
  return Object.fromEntries(fields.filter(([name]) => !Object.hasOwn(fixed, name)));
}

const canBeLeftOut = (field: Field): boolean => field.optional === true || "default" in field;

function placeholder(name: string, field: Field): string | undefined {
  if (field.kind === "flag") return undefined;
  if (field.cli?.value !== undefined) return field.cli.value;
  if (field.kind === "list") return placeholder(name, field.of);
  if (field.kind === "choice") return cliName(name, field);
  return {
    text: "text",
    whole: "n",
    number: "n",
    record: "json",
    shape: "json",
    anything: "json",
    source: "file",
  }[field.kind];
}

const choicesOf = (field: Field): readonly string[] | undefined =>
  field.kind === "choice" ? field.values : field.kind === "list" ? choicesOf(field.of) : undefined;

function optionsOf(name: string, field: Field): OptionSpec[] {
  const value = placeholder(name, field);
  const suggested = field.cli?.suggest ? { suggest: field.cli.suggest } : {};
  if (field.kind === "record" && field.cli?.keys)
    return field.cli.keys.map(({ key, help }) => ({ name: key, value: value ?? "text", help, ...suggested }));
  const choices = choicesOf(field);
  const { short, several, alone, dashes, negative, group } = field.cli ?? {};
  return [
    {
      name: cliName(name, field),
      help: field.help,
      ...(short ? { short } : {}),
      ...(several ? { several } : {}),
      ...(alone === undefined ? {} : { alone }),
      ...(dashes ? { dashes } : {}),
      ...(negative ? { negative } : {}),
      ...(group === undefined ? {} : { group }),
      ...(value === undefined ? {} : { value }),
      ...(field.kind === "list" && field.of.kind !== "shape" ? { many: true } : {}),
      ...(choices ? { choices } : {}),
      ...suggested,
    },
  ];
}

function argumentOf(name: string, field: Field, rest: boolean): ArgumentSpec {
  const choices = field.cli?.suggest ?? choicesOf(field);
  return {
    name: cliName(name, field),
    help: field.help,
    ...(canBeLeftOut(field) ? { optional: true } : {}),
    ...(rest ? { rest: true } : {}),
    ...(choices ? { choices } : {}),
  };
}

/** The words and options of a command. */
function wordsAndOptions(operation: AnyOperation): Pick<CommandSpec, "args" | "options"> {
  const { cli = {} } = operation;
  const words = (cli.args ?? []) as readonly string[];
  const last = words.at(-1);
  const args = words.flatMap((word) => {
    const field = operation.input[word];
    // A field that only the other program's command line fills is not an argument.
    if (!field || (cli.passthrough && !cli.rest && word === last)) return [];
    return [argumentOf(word, field, cli.rest === true && word === last)];
  });
  const options = Object.entries(spoken(operation))
    .filter(([word, field]) => !words.includes(word) && !field.cli?.hidden)
    .flatMap(([word, field]) => optionsOf(word, field));
  return { ...(args.length > 0 ? { args } : {}), ...(options.length > 0 ? { options } : {}) };
}

export function specOf(operation: AnyOperation): CommandSpec {
  const { name, group, summary, more, examples, cli = {} } = operation;
  let parts: ReturnType<typeof wordsAndOptions> | undefined;
  // Derived when they are looked at: a call looks at one command of fifty.
  const derived = () => (parts ??= wordsAndOptions(operation));
  return {
    name,
    group,
    summary,
    ...(more === undefined ? {} : { more }),
    get args() {
      return derived().args;
    },
    get options() {
      return derived().options;
    },
    ...(examples ? { examples } : {}),
    ...(cli.passthrough ? { passthrough: true } : {}),
    ...(cli.main ? { main: true } : {}),
    ...(cli.nowIn ? { nowIn: cli.nowIn } : {}),
    ...(cli.hidden ? { hidden: true } : {}),
  };
}

/** A number as it is typed; another word stays a text, and the field refuses it. */
const typedNumber = (text: string): unknown => (/^\d{1,15}(\.\d{1,6})?$/.test(text) ? Number(text) : text);

async function typed(field: Field, option: string, text: string, io: Io): Promise<unknown> {
  switch (field.kind) {
    case "whole":
    case "number":
      return typedNumber(text);
    case "anything":
    case "shape":
      return readJsonInput(text, option, accepted(field));
    case "source":
      return sourceOf(text, io);
    default:
      return text;
  }
}

async function optionValue(name: string, field: Field, { flags }: ParsedArgv, io: Io): Promise<unknown> {
  if (field.cli?.hidden) return field.kind === "source" ? sourceOf(undefined, io) : undefined;
  const option = cliName(name, field);
  if (field.kind === "flag") return flags.said(option) ?? ("default" in field ? false : undefined);
  if (field.kind === "record" && field.cli?.keys) {
    const said = field.cli.keys.map(({ key }) => [key, flags.text(key)] as const);
    return Object.fromEntries(said.filter(([, value]) => value !== undefined));
  }
  // A list without a default is not given at all when nothing is said.
  if (field.kind === "list" && field.of.kind !== "shape")
    return !("default" in field) && flags.texts(option).length === 0
      ? undefined
      : Promise.all(flags.texts(option).map((text) => typed(field.of, `--${option}`, text, io)));
  const text = flags.text(option);
  if (text === undefined) return undefined;
  return field.kind === "list"
    ? readJsonInput(text, `--${option}`, accepted(field))
    : typed(field, `--${option}`, text, io);
}

/** Everything that was typed, under the names of the fields. */
export async function inputOf(operation: AnyOperation, parsed: ParsedArgv, io: Io): Promise<Record<string, unknown>> {
  const { cli = {} } = operation;
  const words = (cli.args ?? []) as readonly string[];
  const input: Record<string, unknown> = { ...cli.fixed };
  for (const [name, field] of Object.entries(spoken(operation))) {
    if (!words.includes(name)) input[name] = await optionValue(name, field, parsed, io);
    else if (field.kind === "list") input[name] = parsed.rest;
    else {
      const word = parsed.words[cliName(name, field)];
      if (field.kind === "source") input[name] = sourceOf(word, io);
      else if (field.cli?.orFile) input[name] = await textOf(word, io);
      else if (word !== "" || canBeLeftOut(field)) input[name] = word;
    }
  }
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}
