// The results of wishes beside the loop, for a program.
import { truncateToBytes } from "../truncate/index.ts";
import type { SideTaskOutcome } from "./side-task.ts";
import { hostStatus } from "./host-status.ts";

export function hostSideTasks({ standing, results, waiting, gate }: SideTaskOutcome): unknown {
  if (results.length === 0) return hostStatus(standing);
  const read = "thehood_read_artifact with an artifact of `results`.";
  const shown = gate ? { id: gate.id, kind: gate.kind, title: gate.title } : null;
  return truncateToBytes({ runId: standing.runId, results, waiting, gate: shown, read }, 5_500);
}
