// Where a run stands after it was looked at or moved, as every surface tells it.
import type { Activity } from "../../contract/index.ts";
import type { CompactStatus, RepositoryRuns, RunStop } from "../context/index.ts";

/** The caller wanted the end of the run, or only something beside its loop. Either is then no failure. */
export type WantedEnd = "aborted" | "beside" | undefined;

export interface RunStanding {
  readonly runId: string;
  readonly stop: RunStop | null;
  readonly status: CompactStatus;
  /** Nothing is due: it is over, or waits for a person. */
  readonly idle: boolean;
  /** A process is at work on it. */
  readonly working: boolean;
  readonly wanted: WantedEnd;
  /** The present work of each agent and check, while a process is at work. */
  readonly activities: readonly Activity[];
}

export async function standing(
  runs: RepositoryRuns,
  runId: string,
  stop: RunStop | null = null,
  wanted?: WantedEnd,
): Promise<RunStanding> {
  // The status comes last: a run that comes to rest in between is then told as it rests.
  const idle = await runs.idle(runId);
  const working = !idle && (await runs.holder(runId)) !== null;
  const activities = working ? (await runs.live(runId)).activities : [];
  return { runId, stop, idle, working, wanted, activities, status: await runs.status(runId) };
}
