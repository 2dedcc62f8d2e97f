// The processes that this one has started to advance runs, until they end. Such a process works on its run before the
// lease exists. One process works on a run at a time, and at most eight run at once.
import type { LeaseOwner } from "../../../core/contract/index.ts";

/** The whole run, or only the tasks that were asked for beside its loop. */
export type AdvanceRequest = "all" | "beside";

interface Started {
  readonly owner: LeaseOwner;
  /** A later request that the process may have missed; the next process serves it. */
  again: AdvanceRequest | null;
}

const started = new Map<string, Started>();

/** More than a machine can work on at once; further runs wait for a place. */
export const mostStarted = 8;

export const countStarted = (): number => started.size;

export const startedHere = (runId: string): LeaseOwner | null => started.get(runId)?.owner ?? null;

export function noteStarted(runId: string, owner: LeaseOwner): void {
  started.set(runId, { owner, again: null });
}

/** Whether a process runs already; then the request is noted for the next one. */
export function noteRequest(runId: string, request: AdvanceRequest): boolean {
  const found = started.get(runId);
  if (found) found.again = found.again === "all" ? "all" : request;
  return found !== undefined;
}

/** The request that needs another process, if any. */
export function noteEnded(runId: string): AdvanceRequest | null {
  const again = started.get(runId)?.again ?? null;
  started.delete(runId);
  return again;
}
