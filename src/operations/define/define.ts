// One thing that can be asked for is one literal: its name, its words for people, its effect, its input, its handler, and
// what each surface needs to know beyond that. Commands, tools, help, completions and reference pages are derived from it.
import type { Fields, InputOf } from "./fields.ts";
import type { OutputShape } from "./json-schema.ts";

/** `decides`: only a person may, or a program that puts the question before a person. */
type Effect = "reads" | "moves" | "decides";

export interface Annotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint: boolean;
}

/** `show --artifact <id>`: the command, and the option and its value that select this operation. */
export interface NowIn {
  readonly command: string;
  /** Without it, the command does the same without an option. */
  readonly option?: string;
  /** The placeholder of the option's value, which is the last word of this operation. */
  readonly value?: string;
}

interface CliPart<F extends Fields, R> {
  /** Fields that are positional arguments, in their order. */
  readonly args?: readonly (keyof F & string)[];
  /** The last word takes everything that is left. */
  readonly rest?: true;
  /** Everything after `--` belongs to the last word. */
  readonly passthrough?: true;
  /** `--help` shows the command; without, only `--help --all` does. */
  readonly main?: true;
  /** Another command took this one in. Its own name keeps working, and help shows only the other one. */
  readonly nowIn?: NowIn;
  /** Called by another process of ours: neither help nor completions show it. */
  readonly hidden?: true;
  /** Fields that this surface sets. */
  readonly fixed?: Partial<InputOf<F>>;
  /** The exit code; 0 without. */
  exit?(result: R): number;
}

interface McpPart<F extends Fields, R, C> {
  readonly tool: string;
  /** `tools/list` names it; without, only `thehood mcp --tools all` does. It can be called in both cases. */
  readonly main?: true;
  readonly title: string;
  readonly description: string;
  /** Beyond those that follow from the effect. */
  readonly annotations?: Partial<Annotations>;
  readonly fixed?: Partial<InputOf<F>>;
  /** The fields of the result as a program gets it, or its JSON schema, loaded when the tools are listed. */
  readonly output: OutputShape | (() => Promise<object>);
  /** The result as a program gets it, within its bytes; the result as it is without. */
  present?(result: R, context: C): unknown;
  /** The result as text, for hosts that hand only text to their model; JSON without. */
  text?(result: R): string;
}

export interface Operation<F extends Fields = Fields, R = unknown, C = unknown, N extends string = string> {
  /** The words that call it: `status`, `log verify`. */
  readonly name: N;
  /** Where help shows it. */
  readonly group: string;
  /** One line, without a full stop. */
  readonly summary: string;
  readonly more?: string;
  readonly examples?: readonly string[];
  readonly effect: Effect;
  /** Input that makes a call a person's decision although the effect is less, for example an approval. */
  decides?(input: InputOf<F>): boolean;
  readonly input: F;
  handle(input: InputOf<F>, context: C): Promise<R>;
  readonly cli?: CliPart<F, R>;
  readonly mcp?: McpPart<F, R, C>;
}

/** Any operation, for a list. Its input is parsed before it is handed in. */
export interface AnyOperation<C = never> extends Omit<Operation, "decides" | "handle" | "cli" | "mcp"> {
  decides?(input: never): boolean;
  handle(input: never, context: C): Promise<unknown>;
  readonly cli?: Omit<CliPart<Fields, never>, "fixed"> & { readonly fixed?: object };
  readonly mcp?: Omit<McpPart<Fields, never, C>, "fixed"> & { readonly fixed?: object };
}

/** Ties a handler to the fields of its input, for operations with one kind of context. */
export const defineFor =
  <C>() =>
  <const F extends Fields, R, const N extends string>(operation: Operation<F, R, C, N>): Operation<F, R, C, N> =>
    operation;

const derived: Readonly<Record<Effect, Annotations>> = {
  reads: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  moves: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
  decides: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
};

export const annotationsOf = ({ effect, mcp }: Pick<AnyOperation, "effect" | "mcp">): Annotations => ({
  ...derived[effect],
  ...mcp?.annotations,
});
