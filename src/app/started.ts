// Processes this one has started to advance a run, until they end: such a run is being worked on before its lease says so.
import type { LeaseOwner } from "../contract/index.ts";

const started = new Map<string, LeaseOwner>();

export const noteStarted = (runId: string, owner: LeaseOwner): void => void started.set(runId, owner);

/** Only if it is still the one that was noted: a later one may have been started meanwhile. */
export function noteEnded(runId: string, pid: number): void {
  if (started.get(runId)?.pid === pid) started.delete(runId);
}

export const startedHere = (runId: string): LeaseOwner | null => started.get(runId) ?? null;
