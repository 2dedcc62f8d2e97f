// The input of an operation as plain data: each field says its kind, its limits, its help, and how a surface spells it.
// It does not use a schema library: every literal is loaded for `--help`, and a schema library costs a third of a start.

import type { Suggestion } from "../../core/contract/index.ts";

/** How the surfaces spell a field. Without a word here the field's own name is used. */
interface Spelling {
  /** Only this surface takes it; elsewhere its default holds, or it is not given. */
  readonly only?: "cli" | "mcp";
  readonly cli?: {
    readonly name?: string;
    readonly short?: string;
    /** The placeholder of its value. */
    readonly value?: string;
    /** Never typed: the command line fills it. */
    readonly hidden?: true;
    /** Offered by completions; other values are taken as well. */
    readonly suggest?: readonly string[];
    /** A list takes every word up to the next option. */
    readonly several?: true;
    /** The value of an option without an argument. */
    readonly alone?: string;
    /** `-` means the text on standard input, and `@file` the text of that file. */
    readonly orFile?: true;
    /** The value may begin with a dash. */
    readonly dashes?: true;
    /** A flag can be said with --no- too; a text is the help of that. */
    readonly negative?: true | string;
    /** The heading above it in the help of a program's own options. */
    readonly group?: string;
    /** A record is spelled as one option for each of these keys. */
    readonly keys?: readonly { readonly key: string; readonly help: string }[];
  };
  readonly mcp?: {
    readonly name?: string;
    /** The description in the tool's schema. Its bytes are in every conversation, so most fields have none. */
    readonly about?: string;
    /** A program must say it, although a person need not. */
    readonly required?: true;
    /** A tighter limit than a person's. */
    readonly max?: number;
  };
}

interface Common extends Spelling {
  readonly help: string;
  readonly optional?: true;
  readonly default?: unknown;
  /** The way to see which values there are. */
  readonly look?: { readonly remedy: string; readonly suggestion: Suggestion };
  /** Whether a value loosens what the user has set: a process that a run started may not give it. */
  readonly loosens?: (value: never) => boolean;
  /** A rule beyond the kind; `words` completes "Give …". */
  readonly check?: { readonly test: (value: never) => boolean; readonly words: string };
}

export interface TextField extends Common {
  readonly kind: "text";
  readonly min?: number;
  readonly max?: number;
  readonly trim?: true;
  readonly pattern?: RegExp;
  /** A number is accepted too, and becomes its text. */
  readonly orNumber?: true;
  /** Says in words what the pattern takes. */
  readonly words?: string;
}
export interface NumberField extends Common {
  readonly kind: "whole" | "number";
  readonly min?: number;
  readonly max?: number;
  /** Above zero, zero itself not. */
  readonly positive?: true;
}
export interface FlagField extends Common {
  readonly kind: "flag";
}
export interface ChoiceField extends Common {
  readonly kind: "choice";
  readonly values: readonly string[];
}
export interface ListField extends Common {
  readonly kind: "list";
  readonly of: Field;
  readonly min?: number;
  readonly max?: number;
  /** Completes "Give …". */
  readonly words?: string;
}
export interface RecordField extends Common {
  readonly kind: "record";
  readonly keys: readonly string[];
  readonly of: Field;
}
export interface ShapeField extends Common {
  readonly kind: "shape";
  readonly fields: Fields;
}
/** JSON of any form; the handler's own room parses it. */
export interface AnythingField extends Common {
  readonly kind: "anything";
  /** Completes "Give …". */
  readonly words?: string;
}
/** The content of a file, or of standard input. */
export interface SourceField extends Common {
  readonly kind: "source";
}

export type Field =
  | TextField
  | NumberField
  | FlagField
  | ChoiceField
  | ListField
  | RecordField
  | ShapeField
  | AnythingField
  | SourceField;
export type Fields = Readonly<Record<string, Field>>;

export interface Source {
  /** The caller named it; without, standard input is meant. */
  readonly given: boolean;
  /** The name of the file; undefined for standard input. */
  readonly name: string | undefined;
  /** Read when it is asked for. */
  bytes(): Promise<Uint8Array>;
}

/** The type of the parsed value, and of the value that a caller gives. Types only: no field holds these. */
export interface Typed<Parsed, Asked = Parsed> {
  readonly "~parsed"?: Parsed;
  readonly "~asked"?: Asked;
}
type ParsedOf<F> = F extends Typed<infer P, unknown> ? P : unknown;
type AskedField<F> = F extends Typed<unknown, infer A> ? A : unknown;

/** The input that a handler gets. */
export type InputOf<F> = { readonly [K in keyof F]: ParsedOf<F[K]> };
type OptionalKeys<F> = { [K in keyof F]: undefined extends AskedField<F[K]> ? K : never }[keyof F];
/** The input that a caller gives: a field with a default, or an optional one, may be left out. */
export type AskedOf<F> = { readonly [K in Exclude<keyof F, OptionalKeys<F>>]: AskedField<F[K]> } & {
  readonly [K in OptionalKeys<F>]?: AskedField<F[K]>;
};

type More<F extends Field> = Omit<F, "kind" | "help" | "of" | "keys" | "fields" | "values">;

export const text = (help: string, more: More<TextField> = {}): TextField & Typed<string> => ({
  kind: "text",
  help,
  ...more,
});
export const whole = (help: string, more: More<NumberField> = {}): NumberField & Typed<number> => ({
  kind: "whole",
  help,
  ...more,
});
export const number = (help: string, more: More<NumberField> = {}): NumberField & Typed<number> => ({
  kind: "number",
  help,
  ...more,
});
/** Off unless it is said. */
export const flag = (help: string, more: More<FlagField> = {}): FlagField & Typed<boolean, boolean | undefined> => ({
  kind: "flag",
  help,
  default: false,
  ...more,
});
export const choice = <const V extends string>(
  values: readonly V[],
  help: string,
  more: More<ChoiceField> = {},
): ChoiceField & Typed<V> => ({ kind: "choice", values, help, ...more });
/** Empty unless something is said. */
export const list = <F extends Field>(
  of: F,
  help: string,
  more: More<ListField> = {},
): ListField & Typed<readonly ParsedOf<F>[], readonly AskedField<F>[] | undefined> => ({
  kind: "list",
  of,
  help,
  default: [],
  ...more,
});
/** Empty unless something is said. */
export const record = <const K extends string, F extends Field>(
  keys: readonly K[],
  of: F,
  help: string,
  more: More<RecordField> = {},
): RecordField &
  Typed<Readonly<Partial<Record<K, ParsedOf<F>>>>, Readonly<Partial<Record<K, AskedField<F>>>> | undefined> => ({
  kind: "record",
  keys,
  of,
  help,
  default: {},
  ...more,
});
export const shape = <F extends Fields>(
  fields: F,
  help: string,
  more: More<ShapeField> = {},
): ShapeField & Typed<InputOf<F>, AskedOf<F>> => ({ kind: "shape", fields, help, ...more });
export const anything = (help: string, more: More<AnythingField> = {}): AnythingField & Typed<unknown, unknown> => ({
  kind: "anything",
  help,
  optional: true,
  ...more,
});
export const source = (help: string, more: More<SourceField> = {}): SourceField & Typed<Source> => ({
  kind: "source",
  help,
  only: "cli",
  ...more,
});

/** A field with other types of its parsed and its given value. */
type Retyped<F extends Field, Parsed, Asked> = Omit<F, "~parsed" | "~asked"> & Typed<Parsed, Asked>;

export const optional = <F extends Field>(field: F): Retyped<F, ParsedOf<F> | undefined, AskedField<F> | undefined> =>
  ({ ...field, optional: true }) as never;
export const withDefault = <F extends Field>(
  field: F,
  value: ParsedOf<F>,
): Retyped<F, ParsedOf<F>, AskedField<F> | undefined> => ({ ...field, default: value }) as never;
/** A caller must say it, although its kind has a default. */
export function needed<F extends Field>(field: F): Retyped<F, ParsedOf<F>, NonNullable<AskedField<F>>> {
  const { default: _, ...rest } = field;
  return rest as never;
}
/** The same field with other help, or another spelling. */
export const spelled = <F extends Field>(field: F, more: Partial<Omit<Field, "kind">>): F => ({
  ...field,
  ...more,
});
export const checked = <F extends Field>(field: F, test: (value: ParsedOf<F>) => boolean, words: string): F => ({
  ...field,
  check: { test: test as (value: never) => boolean, words },
});

export const loosening = <F extends Field>(field: F, loosens: (value: ParsedOf<F>) => boolean): F => ({
  ...field,
  loosens: loosens as (value: never) => boolean,
});

/** The text of a source's bytes. */
export const decoded = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
