// What the command line of `oracle` is given, and what its flags are made of.
import type { Desk, Options } from "../../contract/transport/index.ts";

export interface Io {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly stdin: AsyncIterable<Uint8Array>;
}

export interface OracleWorld {
  readonly io: Io;
  readonly cwd: string;
  readonly version: string;
  readonly signal: AbortSignal;
  /** ORACLE_NO_DETACH=1: run in this process. */
  readonly inline: boolean;
  /** Whether standard output is a terminal: then a model's text may not steer it. */
  readonly stdoutIsTerminal: () => boolean;
  /** Whether standard input is a terminal, asked only when it matters. */
  readonly stdinIsTerminal: () => boolean;
  readonly desk: () => Promise<Desk>;
  /** The body of a run's own process; answers its exit code. */
  readonly runSession: (id: string) => Promise<number>;
  /** Serves MCP on the standard streams until they close. */
  readonly serveMcp: () => Promise<void>;
}

export type OptionName = keyof Options;

export interface Flag {
  /** The option it sets, when it is one of the run. */
  readonly option: OptionName;
  readonly short?: string;
  /** Placeholder of the value; a flag without one is a switch. */
  readonly value?: string;
  /** Takes one or more values, up to the next flag. */
  readonly many?: boolean;
  readonly number?: boolean;
  readonly choices?: readonly string[];
  /** Can be said with --no- too. */
  readonly negatable?: boolean;
  readonly group: string;
}
