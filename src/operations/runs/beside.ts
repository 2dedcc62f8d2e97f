// What was asked beside the loop is worked off without moving the run. When another process is at work on the run,
// that one does it: what was asked is on record, and failing here would have it asked for twice.
import { FailureError, type SideJob } from "../../contract/index.ts";
import type { LoopEnd, RepositoryRuns, Watcher } from "../runs-port.ts";

export interface Looking {
  readonly signal: AbortSignal;
  readonly watcher?: Watcher;
  /** Told once, when another process is at work on the run. */
  busy?(message: string): void;
}

const lookAgainMs = 1_000;

/** The jobs that were asked for after event `from`. */
export async function askedAfter(desk: RepositoryRuns, runId: string, from: number): Promise<SideJob[]> {
  const events = await desk.events(runId, from + 1);
  return events.flatMap(({ event }) => (event.type === "side_requested" ? [event.job] : []));
}

async function settled(desk: RepositoryRuns, runId: string, from: number): Promise<boolean> {
  if ((await desk.gates(runId)).some(({ lane }) => lane === "side")) return true;
  const { sideTasks } = await desk.full(runId);
  const open = sideTasks.flatMap(({ id, end }) => (end === null ? [id] : []));
  return !(await askedAfter(desk, runId, from)).some(({ id }) => open.includes(id));
}

export async function workOffBeside(
  desk: RepositoryRuns,
  runId: string,
  from: number,
  { signal, watcher, busy }: Looking,
): Promise<LoopEnd> {
  for (let waitMs = 0; ; waitMs = lookAgainMs) {
    try {
      return await desk.loop(runId, { besideOnly: true, signal, waitMs, ...(watcher ? { watcher } : {}) });
    } catch (error) {
      if (!(error instanceof FailureError) || error.failure.code !== "run_busy") throw error;
      if (waitMs === 0) busy?.(error.failure.message);
    }
    if (!(await settled(desk, runId, from))) continue;
    const status = await desk.status(runId);
    return { runId, stop: status.gate ? "approval_required" : "no_progress", status };
  }
}
