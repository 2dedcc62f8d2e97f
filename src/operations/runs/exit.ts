// The exit code of an operation that moved a run: from where the run stands, never from what was printed.
import { exitCodes } from "../../contract/index.ts";
import type { Standing } from "./standing.ts";

const failedExits: Readonly<Record<string, number>> = {
  provider_failed: exitCodes.providerUnavailable,
  repeated_schema_failures: exitCodes.schemaInvalid,
  unsafe_repository: exitCodes.permissionDenied,
  role_conflict: exitCodes.badInput,
};

/** An agent brought the run to its gate: a program that reads the code learns more than that somebody is needed. */
const gateExits: Readonly<Record<string, number>> = {
  provider_failed: exitCodes.providerUnavailable,
  repeated_schema_failures: exitCodes.schemaInvalid,
};

/** Checks or reviewers sent the work back, and there are no answers left to repair it. */
const sentBack = ({ status }: Standing): boolean =>
  (status.stopReason === "max_iterations" || status.gate?.kind === "answer_budget") &&
  status.counts.passes > 1;

export function exitOf(standing: Standing): number {
  const { status, stop, wanted } = standing;
  if (stop === "created" || stop === "recorded") return exitCodes.ok;
  // Also of a run that has ended: something beside it may wait for its yes.
  if (status.gate && sentBack(standing)) return exitCodes.verificationFailed;
  if (status.gate) return gateExits[status.gate.cause ?? ""] ?? exitCodes.approvalRequired;
  if (status.state === "completed" || status.state === wanted || wanted === "beside") return exitCodes.ok;
  if (status.state === "failed" && sentBack(standing)) return exitCodes.verificationFailed;
  if (status.state === "failed") return failedExits[status.stopReason ?? ""] ?? exitCodes.failure;
  return exitCodes.failure;
}
