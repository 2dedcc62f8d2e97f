// The context of the operations of `oracle`: the transport, standard input, and a way to say how it goes.
import type { BrowserPort, Transport } from "../../contract/transport/index.ts";
import { defineFor } from "../define/index.ts";

export interface OracleContext {
  transport(): Promise<Transport>;
  browser(): Promise<BrowserPort>;
  /** Standard input as text, or null when a person sits at it. */
  stdin(): Promise<string | null>;
  /** Progress, which a person can turn off. */
  say(line: string): void;
  warn(text: string): void;
  readonly signal: AbortSignal;
  /** Runs go on in this process instead of one of their own. */
  readonly inline: boolean;
  /** The body of a run's own process; answers its exit code. */
  runSession(id: string): Promise<number>;
  /** Serves MCP on the standard streams until they close. */
  serveMcp(): Promise<void>;
}

export const define = defineFor<OracleContext>();
