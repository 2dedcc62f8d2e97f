// The budget of a run: which part of it is used up, if any.
import type { Run } from "../state/index.ts";

export function usedUp({ limits, spent }: Run): "token" | "time" | null {
  if (limits.tokens !== null && spent.tokens >= limits.tokens) return "token";
  return limits.ms !== null && spent.ms >= limits.ms ? "time" : null;
}
