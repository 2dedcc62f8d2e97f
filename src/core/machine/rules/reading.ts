// The end of a run that only reads: git's state is captured once more, so that the report can show that nothing was
// changed.
import { acceptedOf, passAt } from "../facts/index.ts";
import { nextForReview } from "../next/work.ts";
import type { Decision, MachineDeps } from "../decision.ts";
import type { Delegating, Planning, Run, Verifying } from "../state/index.ts";
import { enter } from "../transition.ts";
import { complete } from "./complete.ts";

/** The role that had the last word, and whether it handed the work to a worker. */
function ending(run: Run): { stopReason: "success" | "handoff_plan"; by: string } {
  const last = run.calls.findLast(({ record }) => record.lane === "main" && acceptedOf(run, record.callId));
  const brief = acceptedOf(run, last?.record.callId ?? null)?.brief;
  const handed = brief !== null && brief !== undefined && "action" in brief && brief.action === "delegate";
  return { stopReason: handed ? "handoff_plan" : "success", by: last?.record.role ?? "runtime" };
}

export function finishReading(run: Run, phase: Planning | Delegating, deps: MachineDeps): Decision {
  if (run.inspection?.git) return enter<Planning | Delegating>(run, phase, "verifying", "the answer is in");
  const { stopReason, by } = ending(run);
  return complete(run, stopReason, by, deps);
}

export function whileVerifyingReadOnly(run: Run, phase: Verifying, deps: MachineDeps): Decision | null {
  if (nextForReview(run, phase) || !passAt(run, phase.pass).evidence) return null;
  const { stopReason, by } = ending(run);
  return complete(run, stopReason, by, deps);
}
