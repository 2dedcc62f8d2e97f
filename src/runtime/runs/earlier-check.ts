// The newest result of a check on exactly one tree, from the last runs of the repository.
import type { CheckEvidence, EventLog, RunEvent } from "../../core/contract/index.ts";

/** How many runs are asked. */
export const mostRuns = 20;

export async function earlierCheck(
  log: EventLog<RunEvent>,
  tree: string,
  checkId: string,
): Promise<{ readonly runId: string; readonly at: number; readonly check: CheckEvidence } | undefined> {
  for (const { runId } of await log.list({ limit: mostRuns })) {
    const found = (await log.read(runId)).findLast(
      ({ event }) =>
        event.type === "check_executed" &&
        event.check.variant === "base" &&
        event.check.checkId === checkId &&
        event.check.tree === tree &&
        !event.check.cut &&
        event.check.reused === undefined,
    );
    if (found?.event.type === "check_executed") return { runId, at: found.at, check: found.event.check };
  }
  return undefined;
}
