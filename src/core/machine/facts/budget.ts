// The budget of a run: the part that is used up, if any, and the rest.
import type { Run } from "../state/index.ts";

export function exhaustedBudget({ limits, spent }: Run): "token" | "money" | "time" | null {
  if (limits.tokens !== null && spent.tokens >= limits.tokens) return "token";
  if (limits.usd !== null && spent.usd >= limits.usd) return "money";
  return limits.ms !== null && spent.ms >= limits.ms ? "time" : null;
}

/** The most that one call may use. The time of a call is bounded by its timeout. */
export function remainingBudget({ limits, spent }: Run): { tokens: number | null; usd: number | null } {
  const left = (limit: number | null, used: number) => (limit === null ? null : Math.max(0, limit - used));
  return { tokens: left(limits.tokens, spent.tokens), usd: left(limits.usd, spent.usd) };
}

export const answersLeft = ({ limits, spent }: Run): number => Math.max(0, limits.responses - spent.responses);

export function withinTimeLeft({ limits, spent }: Run, timeoutMs: number): number {
  return limits.ms === null ? timeoutMs : Math.max(1_000, Math.min(timeoutMs, limits.ms - spent.ms));
}
