// The context of the operations of `oracle`: the transport, standard input, and a way to say how it goes.
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
  /** Standard input as text, or null when a person sits at it. */
  stdin(): Promise<string | null>;
  warn(text: string): void;
  /** The answer as it comes, where somebody looks on. */
  onText?(textSoFar: string): void;
  /** Puts a text on the clipboard; answers the name of the program that did it. */
  copy(text: string): Promise<string>;
  /** Runs go on in this process instead of one of their own. */
  readonly inline: boolean;
  /** The body of a run's own process; answers its exit code. */
  runSession(id: string): Promise<number>;
  /** Serves MCP on the standard streams until they close. */
  serveMcp(): Promise<void>;
}

export const define = defineFor<OracleContext>();
