// The parts of a running gateway that its pieces share.
import type { KnownValues } from "./clean.ts";
import type { Events } from "./events.ts";
import type { GatewayMetrics } from "./metrics.ts";
import type { GatewayWorld } from "./world.ts";

export interface Parts {
  readonly world: GatewayWorld;
  readonly known: KnownValues;
  readonly events: Events;
  readonly metrics: GatewayMetrics;
}
