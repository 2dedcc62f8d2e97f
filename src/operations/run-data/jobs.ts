// The jobs beside the loop of a run.
import type { SideJob } from "../../core/contract/index.ts";
import type { RepositoryRuns } from "../context/index.ts";

/** The jobs that were asked for after event `from`. */
export async function jobsAfter(runs: RepositoryRuns, runId: string, from: number): Promise<SideJob[]> {
  const events = await runs.events(runId, from + 1);
  return events.flatMap(({ event }) => (event.type === "side_requested" ? [event.job] : []));
}
