// Spans of time as people write them: seconds, or parts with units (1h30m).
import { fail } from "../../../core/contract/index.ts";

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const day = 86_400_000;
/** Longest time for a run. */
const mostDays = 30;

/** Undefined when the text is no span. */
function readSpan(text: string): number | undefined {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)?/g)];
  // Several parts, as in 1h30m, need a unit each.
  const whole = parts.map(([part]) => part).join("") === text && parts.length > 0;
  const clear = parts.length === 1 || parts.every(([, , unit]) => unit !== undefined);
  if (!whole || !clear) return undefined;
  return Math.round(parts.reduce((sum, [, count, unit]) => sum + Number(count) * (units[unit ?? "s"] ?? 0), 0));
}

/** `flag` is where it was written: an option, or a variable. */
export function durationMs(given: string | number, flag: string): number {
  const ms = readSpan(String(given).trim());
  const example = flag.startsWith("--") ? `${flag} ` : `${flag}=`;
  if (ms === undefined)
    return fail("invalid_input", `${flag} ${given} is not a time span.`, {
      remedy: `Write seconds or a unit: ${example}90, ${example}20m, ${example}1h30m`,
    });
  if (ms <= mostDays * day) return ms;
  return fail("invalid_input", `${flag} ${given} is longer than ${mostDays} days.`, {
    remedy: `Give a shorter time, e.g. ${example}20m`,
  });
}

/** How long ago. It needs a unit: what is older is removed, and 7 could mean days or seconds. */
export function ageMs(given: string | number, flag: string): number {
  const text = String(given).trim();
  const ms = /^[\d.]+$/.test(text) ? undefined : readSpan(text);
  if (ms !== undefined && Number.isSafeInteger(ms)) return ms;
  return fail("invalid_input", `${flag} ${given} is not a time with a unit.`, {
    remedy: `Write days or hours: ${flag} 7d, ${flag} 12h`,
  });
}
