// Processes this one has started to advance runs, until they end. A run is worked on before its lease says so, by one
// process of ours at a time, and there is an end to how many there are.
import type { LeaseOwner } from "../contract/index.ts";

/** The whole run, or only what was asked beside its loop. */
export type Wish = "all" | "beside";

interface Started {
  readonly owner: LeaseOwner;
  /** Something was asked after it had begun, which it may have missed: what a next one has to do. */
  again: Wish | null;
}

const started = new Map<string, Started>();

/** More than a machine can work on at once; a client that asks for more is asked to wait. */
export const mostStarted = 8;

export const countStarted = (): number => started.size;

export const startedHere = (runId: string): LeaseOwner | null => started.get(runId)?.owner ?? null;

export function noteStarted(runId: string, owner: LeaseOwner): void {
  started.set(runId, { owner, again: null });
}

/** Whether one is there already; then it is noted that there is more to do. */
export function askAgain(runId: string, wish: Wish): boolean {
  const found = started.get(runId);
  if (found) found.again = found.again === "all" ? "all" : wish;
  return found !== undefined;
}

/** Tells whether another one has to be started, and for what. */
export function noteEnded(runId: string): Wish | null {
  const again = started.get(runId)?.again ?? null;
  started.delete(runId);
  return again;
}
