// A program of the command line: which operations it offers, in whose words, and what it does around each call.
import type { Failure, Spell } from "../../core/contract/index.ts";
import type { AnyOperation } from "../../operations/define/index.ts";
import type { CommandSpec, Io, OptionSpec } from "./spec.ts";
import type { Style } from "./style.ts";

/** A failure, or a fault of ours, as a document tells it. */
interface FailureFace {
  readonly code: string;
  readonly message: string;
  readonly remedy: string | null;
}

/** The facts that every call knows beside its input. */
export interface ProgramCall {
  readonly io: Io;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** The folder that is meant: --repo, or the one the program was called in. Refused when that is gone. */
  readonly folder: string;
  /** The person named the folder. */
  readonly named: boolean;
  readonly signal: AbortSignal;
}

export interface Rendering<C> extends ProgramCall {
  readonly style: Style;
  readonly context: C;
  /** The command that a person types for a suggestion. */
  readonly spell: Spell;
}

/** How one operation's result is shown. Without a renderer its data is printed. */
export interface Renderer<R = never, C = never> {
  /** The JSON document; the data itself, with `schemaVersion` and `ok`, without. */
  json?(result: R, view: Rendering<C>, exit: number): unknown;
  print?(result: R, view: Rendering<C>): void | Promise<void>;
}

export interface FormerNames<C> {
  readonly operations: readonly AnyOperation<C>[];
  translateLine(argv: readonly string[]): { readonly argv: readonly string[]; readonly note: string } | undefined;
}

export interface Program<C> {
  readonly name: string;
  readonly tagline: string;
  /** The last lines of the overview. */
  readonly epilogue: string;
  readonly operations: readonly AnyOperation<C>[];
  /** The operation of the program called without a command; it has no name. */
  readonly root?: AnyOperation<C>;
  /** A first word that belongs to the root operation instead of naming a command. */
  isForRoot?(word: string): boolean;
  /** The options of every command, where they are not the usual ones. */
  readonly common?: readonly OptionSpec[];
  /** The help of the program itself, where it is not the list of its commands. */
  overview?(root: CommandSpec, table: readonly CommandSpec[], all: boolean): string;
  /** The JSON document of a failure, where the program has one of its own. */
  failed?(failure: FailureFace): object;
  /** Performs an operation whose input is parsed: the one way in of `operations`. */
  perform(operation: AnyOperation<C>, input: object, context: C): Promise<unknown>;
  renderer(operation: string): Promise<Renderer | undefined>;
  /** The context of one call; disposed of when the call is over. */
  context(call: ProgramCall): C & Partial<AsyncDisposable>;
  /** The command that a person types for a suggestion. */
  readonly spell: Spell;
  /** One line of JSON, suggestions in it as commands. */
  jsonLine(value: object): string;
  /** Names of other versions of the program, loaded when a line fails: the line under its new name, if it has one. */
  former?(): Promise<FormerNames<C>>;
  /** The exit code of a failure, where it is not that of the table. */
  exit?(failure: Failure): number;
}

export interface ProgramCommand<C> {
  readonly spec: CommandSpec;
  readonly operation: AnyOperation<C>;
  /** The default of the program. */
  readonly renderer?: Renderer | undefined;
}
