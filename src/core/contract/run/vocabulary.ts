// The closed sets of a run: modes, states, stop reasons, failure classes, risk tiers, kinds of findings.
import { z } from "zod";
import { activeStates, runModes, runStates } from "../text.ts";

export const runMode = z.enum(runModes);

export const activeState = z.enum(activeStates);
export type ActiveState = z.infer<typeof activeState>;

const runStateName = z.enum(runStates);
export type RunStateName = z.infer<typeof runStateName>;

/** Why a run ended, or waits at a gate. */
export const stopReasons = [
  "success",
  /** The work is done, and the runtime has doubts about it that the user's policy does not take (B-26). */
  "completed_with_doubts",
  "no_change",
  "handoff_plan",
  "max_iterations",
  "token_budget",
  "time_budget",
  "command_failure",
  "protected_change",
  "repeated_schema_failures",
  "repeated_failure",
  "provider_blocked",
  "provider_failed",
  "decision_abort",
  "user_abort",
  "user_reject",
  "unsafe_repository",
  "role_conflict",
  "role_unassigned",
  "integration_failed",
  "internal_failure",
] as const;
export const stopReason = z.enum(stopReasons);
export type StopReason = z.infer<typeof stopReason>;

/** */
export const failureClasses = [
  "test_failure",
  "lint_failure",
  "typecheck_failure",
  "build_failure",
  "schema_failure",
  "permission_denied",
  "approval_required",
  "provider_error",
  "ambiguous_goal",
  "unsafe_action",
  "budget_exhausted",
  "unknown_failure",
] as const;
export const failureClass = z.enum(failureClasses);
export type FailureClass = z.infer<typeof failureClass>;

const riskTiers = ["low", "medium", "high"] as const;
export const riskTier = z.enum(riskTiers);
export type RiskTier = z.infer<typeof riskTier>;

/** An observation of the runtime that is recorded and decides nothing. */
const findingKinds = [
  "repository",
  "no_checks_found",
  "nothing_to_run",
  "check_failing_before",
  "empty_patch_after_changed",
  "unreported_change",
  "reported_but_unchanged",
  "open_question",
  "user_note",
  "schema",
  "unknown_evidence_ref",
  "budget",
  "agent_replaced",
] as const;
const findingKind = z.enum(findingKinds);

export const finding = z.object({
  kind: findingKind,
  severity: z.enum(["info", "risk", "blocking"]),
  message: z.string(),
  refs: z.array(z.string()).default([]),
});
export type Finding = z.infer<typeof finding>;
