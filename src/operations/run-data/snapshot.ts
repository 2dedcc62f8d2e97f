// The status of a run after it was read or advanced, as every surface shows it.
import type { Activity } from "../../core/contract/index.ts";
import type { CompactStatus, RepositoryRuns, RunStop, RunWait } from "../context/index.ts";

/** The caller wanted the end of the run, or only something beside its loop. Either is then no failure. */
export type WantedEnd = "aborted" | "failed" | "beside" | undefined;

export interface RunSnapshot {
  readonly runId: string;
  readonly stop: RunStop | null;
  readonly status: CompactStatus;
  /** Nothing is due: it is over, or waits for a person. */
  readonly idle: boolean;
  /** A process is at work on it. */
  readonly working: boolean;
  /** The workers of the shared store that it waits for. */
  readonly waits: RunWait | null;
  readonly wanted: WantedEnd;
  /** The present work of each agent and check, while a process is at work. */
  readonly activities: readonly Activity[];
}

/** For a run that is due and that no process works on. */
export const waitOf = async (runs: RepositoryRuns, runId: string): Promise<RunWait | null> =>
  (await runs.waits([runId])).get(runId) ?? null;

export async function runStatusOf(
  runs: RepositoryRuns,
  runId: string,
  stop: RunStop | null = null,
  wanted?: WantedEnd,
): Promise<RunSnapshot> {
  // The status comes last: a run that comes to rest in between is then shown at rest.
  const idle = await runs.idle(runId);
  const working = !idle && (await runs.holder(runId)) !== null;
  const waits = idle || working ? null : await waitOf(runs, runId);
  const activities = working ? (await runs.live(runId)).activities : [];
  return { runId, stop, idle, working, waits, wanted, activities, status: await runs.status(runId) };
}
