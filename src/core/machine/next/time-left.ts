// A timeout is never longer than the time that the run has left.
import type { Run } from "../state/index.ts";

export function withinTimeLeft({ limits, spent }: Run, timeoutMs: number): number {
  return limits.ms === null ? timeoutMs : Math.max(1_000, Math.min(timeoutMs, limits.ms - spent.ms));
}
