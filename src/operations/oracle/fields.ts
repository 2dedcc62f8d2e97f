// The options of a request as fields of operations, derived from the table of the contract.
import {
  runOptions,
  type OptionName,
  type OptionRow,
  type Options,
  type OptionValue,
} from "../../core/contract/transport/index.ts";
import { flag, needed, optional, text, type Field, type Typed } from "../define/index.ts";

type Cli = NonNullable<Field["cli"]>;

/** Undefined when absent, so that a config file can set it. */
export const maybe = (about: string, cli: Cli = {}) => optional(needed(flag(about, { cli })));

/** The heading of the options that are about the session. */
export const session = { group: runOptions.slug.cli.group };

function fieldOf(name: string, { kind, help, cli, values = [], min, max }: OptionRow): Field {
  const common = { help, cli, optional: true, mcp: { name, about: help } } as const;
  switch (kind) {
    case "text":
    case "flag":
      return { kind, ...common };
    case "time":
      return { kind: "text", orNumber: true, ...common };
    case "whole":
      return {
        kind,
        ...common,
        ...(min === undefined ? {} : { min }),
        ...(max === undefined ? {} : { max }),
      };
    case "choice":
      return { kind, values, ...common };
    case "list":
      return { kind, of: text(help, { min: 1 }), ...common, cli: { several: true, ...cli } };
  }
}

type RunFields = { readonly [N in OptionName]: Field & Typed<OptionValue<N> | undefined> };

/** Every option, in the order of the help. */
export const runFields = Object.fromEntries(
  Object.entries(runOptions).map(([name, row]) => [name, fieldOf(name, row)]),
) as RunFields;

export function pick<const K extends OptionName>(...keys: readonly K[]): Pick<RunFields, K> {
  return Object.fromEntries(keys.map((key) => [key, runFields[key]])) as Pick<RunFields, K>;
}

export function omit<const K extends OptionName>(...keys: readonly K[]): Omit<RunFields, K> {
  const fields = Object.entries(runFields).filter(([name]) => !keys.includes(name as K));
  return Object.fromEntries(fields) as unknown as Omit<RunFields, K>;
}

/** An approval of a protected file, and secrets that are sent, are a person's decision, whatever else a call does. */
export const givesApproval = (input: {
  readonly approvePath?: readonly string[] | undefined;
  readonly sanitizePrompt?: boolean | undefined;
}): boolean => (input.approvePath ?? []).length > 0 || input.sanitizePrompt === false;

/** The options among the parsed fields of an operation. */
export const optionsOf = (input: Readonly<Record<string, unknown>>): Options =>
  Object.fromEntries(Object.entries(input).filter(([name]) => name in runFields)) as Options;
