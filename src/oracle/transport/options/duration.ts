// Spans of time as people write them: 90 (seconds), 500ms, 90s, 20m, 2h.
import { fail } from "../../../core/contract/index.ts";

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const longest = 30 * 86_400_000;

export function durationMs(given: string | number, flag: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(String(given).trim());
  const ms = match ? Number(match[1]) * (units[match[2] ?? "s"] ?? Number.NaN) : Number.NaN;
  if (Number.isFinite(ms) && ms <= longest) return Math.round(ms);
  return fail("invalid_input", `${flag} ${given} is not a time span.`, {
    remedy: `Write seconds or a unit: ${flag} 90, ${flag} 20m, ${flag} 2h`,
  });
}
