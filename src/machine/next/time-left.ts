// Nothing that takes time may outlive what is left of the run's.
import type { Run } from "../state/index.ts";

export function withinTimeLeft({ limits, spent }: Run, timeoutMs: number): number {
  return limits.ms === null ? timeoutMs : Math.max(1_000, Math.min(timeoutMs, limits.ms - spent.ms));
}
