// The exit code of a command that moved a run: from where the run stands, never from what was printed.
import { exitCodes } from "../../../contract/index.ts";
import type { LoopEnd } from "../../../operations/index.ts";

const failedExits: Readonly<Record<string, number>> = {
  provider_failed: exitCodes.providerUnavailable,
  repeated_schema_failures: exitCodes.schemaInvalid,
  unsafe_repository: exitCodes.permissionDenied,
  role_conflict: exitCodes.badInput,
};

/** Checks or reviewers sent the work back, and there were no answers left to repair it. */
const sentBack = ({ status }: LoopEnd): boolean =>
  status.stopReason === "max_iterations" && status.counts.passes > 1;

/** What was asked for: the end of the run, or only what stands beside its loop. Either is then no failure. */
export type Wanted = "aborted" | "beside" | undefined;

export function exitOf(end: LoopEnd, wanted?: Wanted): number {
  const { state, stopReason } = end.status;
  // Also of a run that has ended: something beside it may wait for its yes.
  if (end.status.gate) return exitCodes.approvalRequired;
  if (state === "completed" || state === wanted || wanted === "beside") return exitCodes.ok;
  if (state === "failed" && sentBack(end)) return exitCodes.verificationFailed;
  if (state === "failed") return failedExits[stopReason ?? ""] ?? exitCodes.failure;
  return exitCodes.failure;
}
