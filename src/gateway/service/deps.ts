// The dependencies of the service.
import type { Clock } from "../../core/contract/index.ts";
import { readinessMs, type Integration } from "../rules/index.ts";
import type { SandboxProvider } from "../sandboxes/index.ts";
import type { GatewayStore } from "../store/index.ts";
import type { Tokens } from "./tokens.ts";
import type { Vault } from "./vault.ts";
import type { KnownValues } from "./clean.ts";
import type { Events } from "./events.ts";
import type { GatewayMetrics } from "./metrics.ts";

export interface GatewayDeps {
  readonly store: GatewayStore;
  readonly sandboxes: SandboxProvider;
  readonly vault: Vault;
  readonly tokens: Tokens;
  readonly clock: Clock;
  /** The text of the package that the tools of a sandbox import. */
  readonly toolCode: () => string;
  /** The text of the program `proliferate`; empty for none. */
  readonly actionsCode: () => string;
  /** The connected integrations, as the user lists them now. */
  readonly integrations: () => readonly Integration[];
  /** Writes one line of the log; the entry contains no secrets. */
  readonly log: (entry: Readonly<Record<string, unknown>>) => void;
  /** A completion creates its run: for gateways without automations. */
  readonly openRuns: boolean;
  readonly limits: GatewayLimits;
}

export interface GatewayLimits {
  readonly leaseMs: number;
  /** How long a duplicate waits for the call in flight; shorter than an attempt of the sandbox. */
  readonly waitMs: number;
  readonly tokenMs: number;
  readonly bodyBytes: number;
  readonly bodyMs: number;
  readonly readinessMs: number;
}

export const usualLimits: GatewayLimits = {
  leaseMs: 30_000,
  waitMs: 100_000,
  tokenMs: 12 * 3_600_000,
  bodyBytes: 1 << 20,
  bodyMs: 10_000,
  readinessMs,
};

export interface SessionDeps extends GatewayDeps {
  readonly known: KnownValues;
  readonly events: Events;
  readonly metrics: GatewayMetrics;
}
