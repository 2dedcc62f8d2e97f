// What a command is to the command line: plain data for parsing, help and completions, and a body that is loaded late.
import type { Spell } from "../../contract/index.ts";
import type { Given } from "../../operations/index.ts";

export interface OptionSpec {
  readonly name: string;
  readonly short?: string;
  /** The placeholder of the value; an option without one is a switch. */
  readonly value?: string;
  /** May be given more than once. */
  readonly many?: boolean;
  readonly choices?: readonly string[];
  readonly help: string;
}

export interface ArgumentSpec {
  readonly name: string;
  readonly optional?: boolean;
  /** Takes everything that is left. */
  readonly rest?: boolean;
  /** For completions. */
  readonly choices?: readonly string[];
  readonly help: string;
}

export interface CommandSpec {
  /** The words that call it: `status`, `log verify`. */
  readonly name: string;
  readonly group: string;
  readonly summary: string;
  /** What its help says beside the summary. */
  readonly more?: string;
  readonly args?: readonly ArgumentSpec[];
  readonly options?: readonly OptionSpec[];
  readonly examples?: readonly string[];
  /** Everything after `--` belongs to another program. */
  readonly passthrough?: boolean;
  readonly load: () => Promise<CommandBody>;
}

export interface CommandBody {
  /** Answers the exit code; a failure is thrown. */
  run(call: Call): Promise<number>;
}

export interface Io {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Bytes to standard output, exactly. */
  readonly bytes: (bytes: Uint8Array) => void;
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly color: boolean;
  /** Whether a person sees stdout: what others wrote is shown there without control characters. */
  readonly terminal: boolean;
  /** Whether a person sees stderr live. */
  readonly live: boolean;
  readonly columns: number;
}

/** A parsed call of one command. */
export interface Call {
  readonly words: Readonly<Record<string, string | undefined>>;
  readonly rest: readonly string[];
  readonly flags: Flags;
  readonly repo: string;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly io: Io;
  /** The command that a person types for a suggestion. */
  readonly spell: Spell;
  /** One line for `--json`: suggestions in the value stand as commands. */
  jsonLine(value: object): string;
  readonly given: Given;
  readonly signal: AbortSignal;
}

export interface Flags {
  on(name: string): boolean;
  text(name: string): string | undefined;
  texts(name: string): readonly string[];
}

/** The options every command has. */
export const commonOptions: readonly OptionSpec[] = [
  { name: "repo", value: "dir", help: "the repository to work on (default: this folder)" },
  { name: "json", help: "print one JSON document on stdout, everything else on stderr" },
  { name: "quiet", short: "q", help: "print results only" },
  { name: "verbose", short: "v", help: "say more about what happens" },
  { name: "help", short: "h", help: "show this help" },
];
