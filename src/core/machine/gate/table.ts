// Each kind of gate: its possible answers, where the run goes on when it is passed, and whether a policy may pass it
//
import type { Continuation, FailureClass, GateAnswer, GateKind } from "../../contract/index.ts";

export interface GateRules {
  readonly title: string;
  readonly answers: readonly GateAnswer[];
  readonly continuation: Continuation;
  /** `never`: no policy passes this gate. `transfer`: the policy for manifests decides. */
  readonly policy: "never" | "autopilot" | "transfer";
}

/** The class of failure at each gate, unless the request names another. */
export const gateClasses: Readonly<Partial<Record<GateKind, FailureClass>>> = {
  provider_blocked: "provider_error",
  provider_in_doubt: "provider_error",
  provider_requested_approval: "ambiguous_goal",
  orchestrator_complete_without_evidence: "ambiguous_goal",
  critic_safety_review: "unsafe_action",
  verifier_verdict: "ambiguous_goal",
  self_read_only_delegate: "ambiguous_goal",
  unsupported_read_only_delegate_role: "ambiguous_goal",
  repeated_repo_context_delegate: "ambiguous_goal",
  repeated_remote_repo_context_delegate: "ambiguous_goal",
  protected_patch_changes: "unsafe_action",
  risky_command: "unsafe_action",
  dirty_checkout_before_patch: "permission_denied",
  integration_failed: "unknown_failure",
  validation_waiver: "unknown_failure",
  repeated_failure: "unknown_failure",
  token_budget: "budget_exhausted",
  time_budget: "budget_exhausted",
  answer_budget: "budget_exhausted",
  money_budget: "budget_exhausted",
};

const decide = ["approve", "revise", "reject", "abort"] as const;
const allow = ["approve", "reject", "abort"] as const;

const gate = (
  title: string,
  answers: readonly GateAnswer[],
  continuation: Continuation,
  policy: GateRules["policy"] = "never",
): GateRules => ({ title, answers, continuation, policy });

export const gateTable: Readonly<Record<GateKind, GateRules>> = {
  implementation_start: gate(
    "Start editing in an isolated worktree",
    decide,
    "start_implementing",
    "autopilot",
  ),
  provider_invocation: gate(
    "Call a model-backed provider for read-only work",
    allow,
    "call_provider",
    "autopilot",
  ),
  summon_provider_invocation: gate(
    "Call a model-backed provider beside the loop",
    allow,
    "call_provider",
    "autopilot",
  ),
  isolated_patch_application: gate(
    "Apply the worker's patch to the checkout",
    decide,
    "apply_patch",
    "autopilot",
  ),
  repo_context_external_transfer: gate(
    "Send repository context off this machine",
    allow,
    "call_provider",
    "transfer",
  ),
  progress_packet_external_transfer: gate(
    "Send a progress packet off this machine",
    allow,
    "call_provider",
    "transfer",
  ),
  run_evidence_external_transfer: gate(
    "Send the run's diff, logs and findings off this machine",
    allow,
    "call_provider",
    "transfer",
  ),
  protected_patch_changes: gate("Go on with changes to protected paths", decide, "verify"),
  dirty_checkout_before_patch: gate(
    "The checkout has changes of yours in the way",
    ["approve", "abort", "reject"],
    "retry_integration",
  ),
  integration_failed: gate("The patch could not be applied", decide, "retry_integration"),
  provider_blocked: gate("A role says it cannot go on", decide, "call_provider"),
  provider_in_doubt: gate("A call was sent and its outcome is unknown", ["retry", "abort"], "call_provider"),
  provider_requested_approval: gate("A role asks for your decision", decide, "call_provider"),
  orchestrator_complete_without_evidence: gate(
    "A role says the goal is reached and names no evidence",
    decide,
    "review",
  ),
  critic_safety_review: gate(
    "The critic calls the work unsafe or unclear",
    ["approve", "revise", "abort"],
    "review",
  ),
  verifier_verdict: gate(
    "The verifier leaves the decision to you",
    ["accept", "revise", "abort"],
    "conclude",
  ),
  verifier_unassigned: gate("Nobody is assigned to verify", ["approve", "abort"], "assign_role"),
  role_unassigned: gate("A role that is needed has nobody", ["approve", "abort"], "assign_role"),
  self_read_only_delegate: gate("A role hands the work to itself", decide, "plan_again"),
  missing_read_only_delegate_assignment: gate(
    "A role hands the work to one that has nobody",
    decide,
    "assign_role",
  ),
  unsupported_read_only_delegate_role: gate(
    "A role hands the work to one that cannot take it here",
    decide,
    "plan_again",
  ),
  repeated_repo_context_delegate: gate("A role keeps asking for repository evidence", decide, "plan_again"),
  repeated_remote_repo_context_delegate: gate(
    "A role asks again although it has the remote repository",
    decide,
    "plan_again",
  ),
  validation_waiver: gate("A check does not pass, and only you can let it stand", decide, "conclude"),
  repeated_failure: gate("The run goes in circles", ["revise", "abort"], "repair"),
  token_budget: gate("The token budget is used up", ["extend", "abort"], "call_provider"),
  time_budget: gate("The time budget is used up", ["extend", "abort"], "call_provider"),
  answer_budget: gate("The answers of the run are used up", ["extend", "abort"], "call_provider"),
  money_budget: gate("The money budget is used up", ["extend", "abort"], "call_provider"),
  role_switch: gate("Switch who fills a role in this run", ["approve", "reject"], "assign_role"),
  risky_command: gate("Run a risky command", ["approve", "reject"], "run_command"),
};
