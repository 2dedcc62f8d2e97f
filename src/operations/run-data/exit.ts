// Exit codes of operations that moved a run: from the state of the run, never from printed text.
import { exitCodes } from "../../core/contract/index.ts";
import type { RunSnapshot } from "./snapshot.ts";
import type { SideTaskOutcome } from "./side-task.ts";

/** An agent stopped the run, at a gate or for good: the code says more than that a person is needed. */
const agentExits: Readonly<Record<string, number>> = {
  provider_failed: exitCodes.providerUnavailable,
  repeated_schema_failures: exitCodes.schemaInvalid,
};
const failedExits: Readonly<Record<string, number>> = {
  ...agentExits,
  unsafe_repository: exitCodes.permissionDenied,
  role_conflict: exitCodes.badInput,
};

/** Checks or reviewers sent the work back, and there are no answers left to repair it. */
const sentBack = ({ status }: RunSnapshot): boolean =>
  (status.stopReason === "max_iterations" || status.gate?.kind === "answer_budget") && status.counts.passes > 1;

export function exitOf(standing: RunSnapshot): number {
  const { status, stop, wanted } = standing;
  if (stop === "created" || stop === "recorded") return exitCodes.ok;
  if (status.gate && sentBack(standing)) return exitCodes.verificationFailed;
  // Also of a run that has ended: something beside it may wait for its yes.
  if (status.gate) return agentExits[status.gate.cause ?? ""] ?? exitCodes.approvalRequired;
  if (status.stopReason === "completed_with_doubts") return exitCodes.doubts;
  if (status.state === "completed" || status.state === wanted || wanted === "beside") return exitCodes.ok;
  if (status.state === "aborted") return exitCodes.aborted;
  if (status.state === "failed" && sentBack(standing)) return exitCodes.verificationFailed;
  if (status.state === "failed") return failedExits[status.stopReason ?? ""] ?? exitCodes.failure;
  return exitCodes.failure;
}

export function sideTaskExit({ standing, results, gate }: SideTaskOutcome): number {
  if (gate) return exitOf(standing);
  return results.every(({ outcome }) => outcome === "completed") ? exitCodes.ok : exitCodes.failure;
}
