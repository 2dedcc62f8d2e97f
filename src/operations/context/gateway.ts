// The gateway as operations see it: serving one, and asking the one that runs.
import type { GatewayListening } from "../../core/contract/index.ts";

export interface GatewayServe extends GatewayListening {
  /** An OpenAI-compatible endpoint for every model that is not Anthropic's. */
  readonly endpoint: string | undefined;
  readonly anthropicEndpoint: string | undefined;
  readonly signal: AbortSignal;
}

export interface GatewayDev {
  readonly port: number;
  readonly sessions: readonly string[];
  readonly signal: AbortSignal;
}

/** The first thing that a gateway says: where it is. */
export interface GatewayOutput {
  readonly url: string;
  /** Where its keys are kept. */
  readonly keys?: string;
}

/** One session of the gateway in a list. */
export interface SessionRow {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly title: string;
  readonly model: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly error: string | null;
}

export interface SessionEventRow {
  readonly seq: number;
  readonly at: number;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface ShownSandboxSession {
  readonly session: SessionRow;
  readonly events: readonly SessionEventRow[];
}

export interface GatewayPort {
  /** Tells where it listens, and serves until the signal fires. */
  serve(options: GatewayServe): AsyncIterable<GatewayOutput>;
  dev(options: GatewayDev): AsyncIterable<GatewayOutput>;
  /** The newest sessions of the gateway that runs; none when none answers at once. */
  sessions(): Promise<readonly SessionRow[]>;
  /** Asks the gateway that runs. */
  ask(method: string, path: string, body?: object): Promise<unknown>;
  events(sessionId: string, after: number, signal: AbortSignal): AsyncIterable<Record<string, unknown>>;
}
