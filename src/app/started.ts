// Processes this one has started to advance runs, until they end. A run is worked on before its lease says so, by one
// process of ours at a time, and there is an end to how many there are.
import type { LeaseOwner } from "../contract/index.ts";

interface Started {
  readonly owner: LeaseOwner;
  /** Something was asked after it had begun: it may have missed it. */
  again: boolean;
}

const started = new Map<string, Started>();

/** More than a machine can work on at once; a client that asks for more is asked to wait. */
export const mostStarted = 8;

export const countStarted = (): number => started.size;

export const startedHere = (runId: string): LeaseOwner | null => started.get(runId)?.owner ?? null;

export function noteStarted(runId: string, owner: LeaseOwner): void {
  started.set(runId, { owner, again: false });
}

/** Whether one is there already; then it is noted that there is more to do. */
export function askAgain(runId: string): boolean {
  const found = started.get(runId);
  if (found) found.again = true;
  return found !== undefined;
}

/** Tells whether another one has to be started. */
export function noteEnded(runId: string): boolean {
  const again = started.get(runId)?.again === true;
  started.delete(runId);
  return again;
}
