// The world of the command line of `oracle`, handed in by the app.
import type { BrowserPort, Transport } from "../../core/contract/transport/index.ts";
import type { Io } from "../argv/index.ts";

export interface OracleDeps {
  readonly io: Io;
  readonly cwd: string;
  readonly version: string;
  readonly signal: AbortSignal;
  /** ORACLE_NO_DETACH=1: run in this process. */
  readonly inline: boolean;
  /** Whether standard input is a terminal, asked only when it matters. */
  readonly stdinIsTerminal: () => boolean;
  /** Whether an agent or a check of a run started this process. */
  readonly startedByRun: () => Promise<boolean>;
  readonly transport: () => Promise<Transport>;
  readonly browser: () => Promise<BrowserPort>;
  /** Puts a text on the clipboard; answers the name of the program that did it. */
  readonly copy: (text: string) => Promise<string>;
  /** The body of a run's own process; answers its exit code. */
  readonly runSession: (id: string) => Promise<number>;
  /** Serves MCP on the standard streams until they close. */
  readonly serveMcp: () => Promise<void>;
}
