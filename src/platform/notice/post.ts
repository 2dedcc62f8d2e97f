// A POST to an address of the user's. One that cannot be reached or answers 429 or 5xx is called again after some waits.
import { setTimeout as pause } from "node:timers/promises";

const answerMs = 10_000;

export interface Posted {
  /** Null for success. */
  readonly problem: string | null;
  readonly again: boolean;
}

async function post(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Posted> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(answerMs)]);
  try {
    const answer = await fetch(url, { method: "POST", headers, body, signal: limit, redirect: "error" });
    await answer.body?.cancel();
    const again = answer.status >= 500 || answer.status === 429;
    return { problem: answer.ok ? null : `it answered ${answer.status}`, again };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error), again: !signal.aborted };
  }
}

export async function postAgain(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  waits: readonly number[],
  signal: AbortSignal,
): Promise<Posted> {
  let posted = await post(url, body, headers, signal);
  for (const ms of waits) {
    if (!posted.again || signal.aborted) break;
    await pause(ms, undefined, { signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    if (!signal.aborted) posted = await post(url, body, headers, signal);
  }
  return posted;
}
