// A command as the command line reads it: plain data for parsing, help and completions, derived from an operation.
import type { Io } from "../../core/contract/index.ts";
import type { NowIn } from "../../operations/define/index.ts";

export type { Io };

export interface OptionSpec {
  readonly name: string;
  readonly short?: string;
  /** The placeholder of the value; an option without one is a switch. */
  readonly value?: string;
  /** May be given more than once. */
  readonly many?: boolean;
  readonly choices?: readonly string[];
  /** Offered by completions; other values are taken as well. */
  readonly suggest?: readonly string[];
  readonly help: string;
  /** Takes every word up to the next option. */
  readonly several?: true;
  /** The value when the option has no argument. */
  readonly alone?: string;
  /** The value may begin with a dash. */
  readonly dashes?: true;
  /** Can be said with --no- too; a text is the help of that. */
  readonly negative?: true | string;
  /** The heading above it in the help of a program's own options. */
  readonly group?: string;
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
  /** The text of its help below the summary. */
  readonly more?: string;
  readonly args?: readonly ArgumentSpec[] | undefined;
  readonly options?: readonly OptionSpec[] | undefined;
  readonly examples?: readonly string[];
  /** Everything after `--` belongs to another program. */
  readonly passthrough?: boolean;
  /** `--help` shows it; without, only `--help --all` does. */
  readonly main?: true;
  /** The command that took it in. */
  readonly nowIn?: NowIn;
  /** Neither help nor completions show it. */
  readonly hidden?: true;
}

/** The command as messages and help write it: one that another took in is written as a part of that. */
export const calledAs = ({ name, nowIn }: Pick<CommandSpec, "name" | "nowIn">): string =>
  nowIn?.option === undefined ? name : `${nowIn.command} --${nowIn.option}`;

/** The commands that an option of this one selects. */
export const partsOf = (table: readonly CommandSpec[], { name }: CommandSpec): readonly CommandSpec[] =>
  table.filter(({ nowIn }) => nowIn?.command === name && nowIn.option !== undefined);

/** The options that select a part, as help and completions show them. */
export const partOptions = (parts: readonly CommandSpec[]): readonly OptionSpec[] =>
  parts.map(({ nowIn, summary, options = [] }) => {
    const own = options.map((option) => `--${option.name}`).join(", ");
    return {
      name: nowIn?.option ?? "",
      help: `${summary.slice(0, 1).toLowerCase()}${summary.slice(1)}${own === "" ? "" : ` (with ${own})`}`,
      ...(nowIn?.value === undefined ? {} : { value: nowIn.value }),
    };
  });

export interface Flags {
  on(name: string): boolean;
  /** Undefined when neither the flag nor its negative was said. */
  said(name: string): boolean | undefined;
  text(name: string): string | undefined;
  texts(name: string): readonly string[];
}

/** The options every command has. */
export const commonOptions: readonly OptionSpec[] = [
  { name: "repo", short: "C", value: "dir", help: "the repository to work on (default: this folder)" },
  { name: "json", help: "print one JSON document on stdout, everything else on stderr" },
  { name: "quiet", short: "q", help: "print results only" },
  { name: "verbose", short: "v", help: "say more about what happens" },
  { name: "help", short: "h", help: "show this help" },
];
