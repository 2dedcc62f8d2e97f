// The context of the operations of `oracle`: the transport, the browser, standard input and output.
import type { BrowserPort, Transport } from "../../core/contract/transport/index.ts";
import { defineFor } from "../define/index.ts";
import type { Caller } from "../perform.ts";

/** The ports of the operations on the browser: `oracle` and `thehood` both have them. */
export interface BrowserContext {
  browser(): Promise<BrowserPort>;
  /** Progress, which a person can turn off. */
  say(line: string): void;
  readonly signal: AbortSignal;
}

export interface OracleContext extends BrowserContext, Caller {
  readonly program: "oracle";
  transport(): Promise<Transport>;
  /** Standard input as text, or null when it is a terminal. */
  stdin(): Promise<string | null>;
  warn(text: string): void;
  /** Gets the answer while it arrives, on a terminal. */
  onText?(textSoFar: string): void;
  /** Puts a text on the clipboard and returns the name of the program that did it. */
  copy(text: string): Promise<string>;
  /** Runs work in this process instead of one of their own. */
  readonly inline: boolean;
  /** The main function of a run's own process; returns its exit code. */
  runSession(id: string): Promise<number>;
  /** Serves MCP on the standard streams until they close. */
  serveMcp(): Promise<void>;
}

export const define = defineFor<OracleContext>();
