// Overlapping and touching findings become one, named by the surest of them.
import type { FoundSecret } from "./rule.ts";

export function merge(found: readonly FoundSecret[]): FoundSecret[] {
  const sorted = [...found].sort((a, b) => a.start - b.start || a.rank - b.rank || b.end - a.end);
  const merged: FoundSecret[] = [];
  for (const next of sorted) {
    const last = merged.at(-1);
    if (!last || next.start > last.end) {
      merged.push(next);
      continue;
    }
    const surest = next.rank < last.rank ? next : last;
    merged[merged.length - 1] = { ...surest, start: last.start, end: Math.max(last.end, next.end) };
  }
  return merged;
}
