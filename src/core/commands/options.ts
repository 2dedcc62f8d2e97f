// Parses options like getopt: clusters, joined values, abbreviated long names, `--`.
import type { Arg } from "./call.ts";
import { isOpen } from "./lexer/pattern.ts";

interface Option {
  /** `-o` or `--output`, as it was written. */
  readonly name: string;
  readonly value?: Arg;
  readonly arg: Arg;
}

interface Parsed {
  readonly options: readonly Option[];
  readonly rest: readonly Arg[];
  /** An argument that could be an option after expansion. */
  readonly open?: Arg;
}

export interface OptionShape {
  /** Options that take a value, e.g. `-n --lines`. */
  readonly values?: readonly string[];
  /** Stop at the first argument that is not an option, as wrappers do. */
  readonly stopEarly?: boolean;
}

/** Matches exactly, or as an abbreviation of a long name. */
export const isOption = (written: string, name: string) =>
  written === name || (written.startsWith("--") && written.length >= 3 && name.startsWith(written));

export function parseOptions(args: readonly Arg[], shape: OptionShape = {}): Parsed {
  const values = shape.values ?? [];
  const options: Option[] = [];
  const rest: Arg[] = [];
  let open: Arg | undefined;
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] as Arg;
    const { text } = arg;
    if (text === "--") {
      rest.push(...args.slice(at + 1));
      break;
    }
    if (isOpen(text)) open ??= arg;
    if (!text.startsWith("-") || text === "-") {
      if (shape.stopEarly) {
        rest.push(...args.slice(at));
        break;
      }
      rest.push(arg);
    } else if (text.startsWith("--")) {
      const equals = text.indexOf("=");
      const name = equals < 0 ? text : text.slice(0, equals);
      if (equals >= 0) options.push({ name, value: { ...arg, text: text.slice(equals + 1) }, arg });
      else if (values.some((known) => known.startsWith("--") && isOption(name, known)) && at + 1 < args.length)
        options.push({ name, value: args[(at += 1)] as Arg, arg });
      else options.push({ name, arg });
    } else at = cluster(args, at, values, options);
  }
  return { options, rest, ...(open ? { open } : {}) };
}

/** `-abc`, `-ofile`, `-o file`; returns the index of the last argument that was used. */
function cluster(args: readonly Arg[], at: number, values: readonly string[], options: Option[]): number {
  const arg = args[at] as Arg;
  const letters = arg.text.slice(1);
  for (let index = 0; index < letters.length; index += 1) {
    const name = `-${letters[index]}`;
    if (!values.includes(name)) {
      options.push({ name, arg });
      continue;
    }
    const glued = letters.slice(index + 1);
    if (glued !== "") options.push({ name, value: { ...arg, text: glued }, arg });
    else if (at + 1 < args.length) {
      options.push({ name, value: args[at + 1] as Arg, arg });
      return at + 1;
    } else options.push({ name, arg });
    break;
  }
  return at;
}

export const hasOption = (parsed: Parsed, ...names: readonly string[]) =>
  parsed.options.some((option) => names.some((name) => isOption(option.name, name)));

export const optionValues = (parsed: Parsed, ...names: readonly string[]) =>
  parsed.options.flatMap((option) =>
    option.value && names.some((name) => isOption(option.name, name)) ? [option.value] : [],
  );
