// When to retry, and after which pause: the server's Retry-After first, then exponential backoff with jitter.
import { setTimeout as sleep } from "node:timers/promises";
import { HttpFailure } from "./http.ts";

export interface Pace {
  readonly now: () => number;
  /** 0 up to 1. */
  readonly chance: () => number;
  /** Ends early, with a rejection, when the signal fires. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
}

export const realPace: Pace = {
  now: () => Date.now(),
  chance: () => Math.random(),
  pause: (ms, signal) =>
    sleep(ms, undefined, { signal }).catch(() => {
      throw new HttpFailure("aborted", "stopped while waiting");
    }),
};

export const maxAttempts = 5;
const firstPause = 500;
const longestPause = 30_000;
/** If a server asks for a longer pause, a person retries. */
export const longestRetryAfterMs = 10 * 60_000;

const again = new Set([408, 409, 425, 429, 500, 502, 503, 504, 529]);
/** Waiting does not help with these. */
const final = new Set(["insufficient_quota", "billing_hard_limit_reached", "model_not_found"]);

export const worthRetrying = (status: number, code: string | null) =>
  again.has(status) && !(code !== null && final.has(code));

/** The pause that the server asked for, in milliseconds; undefined if it is missing or unusable. */
export function requestedPause(header: (name: string) => string | undefined, now: number): number | undefined {
  const exact = header("retry-after-ms")?.trim();
  if (exact !== undefined && /^\d+(\.\d+)?$/.test(exact)) return Math.ceil(Number(exact));
  const requested = header("retry-after")?.trim();
  if (requested === undefined || requested === "") return undefined;
  if (/^\d+(\.\d+)?$/.test(requested)) return Math.ceil(Number(requested) * 1000);
  const until = Date.parse(requested);
  return Number.isNaN(until) ? undefined : Math.max(0, until - now);
}

/** Doubles from half a second, with a quarter of chance taken off, so that many clients do not come back as one. */
export const backoff = (attempt: number, chance: number) =>
  Math.round(Math.min(longestPause, firstPause * 2 ** (attempt - 1)) * (1 - chance / 4));
