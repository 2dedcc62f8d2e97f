// The parts of a running gateway that its pieces share.
import type { KnownValues } from "./clean.ts";
import type { Events } from "./events.ts";
import type { GatewayMetrics } from "./metrics.ts";
import type { GatewayDeps } from "./deps.ts";

export interface SessionDeps {
  readonly deps: GatewayDeps;
  readonly known: KnownValues;
  readonly events: Events;
  readonly metrics: GatewayMetrics;
}
