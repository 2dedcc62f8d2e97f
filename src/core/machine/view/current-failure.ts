// The class of what stands in the way of a run now, or ended it.
import type { FailureClass } from "../../contract/index.ts";
import { latestPass, openGates } from "../facts/index.ts";
import { isEnded, type Run } from "../state/index.ts";

/**
 * Of a failed run the class it failed with; of an aborted one the class of the gate where a person ended it; of a gate
 * its own; of a repair that is under way the class of its packet. A completed run has none.
 */
export function currentFailure(run: Run): FailureClass | null {
  const { phase } = run;
  if (isEnded(phase)) return phase.state === "completed" ? null : phase.failureClass;
  return openGates(run)[0]?.failureClass ?? latestPass(run).revision?.failureClass ?? null;
}
