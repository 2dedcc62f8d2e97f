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

/** The class of failure that a run stands before at each gate, unless the request names a better one. */
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

export const gateTable: Readonly<Record<GateKind, GateRules>> = {
  implementation_start: {
    title: "Start editing in an isolated worktree",
    answers: decide,
    continuation: "start_implementing",
    policy: "autopilot",
  },
  provider_invocation: {
    title: "Call a model-backed provider for read-only work",
    answers: allow,
    continuation: "call_provider",
    policy: "autopilot",
  },
  summon_provider_invocation: {
    title: "Call a model-backed provider beside the loop",
    answers: allow,
    continuation: "call_provider",
    policy: "autopilot",
  },
  isolated_patch_application: {
    title: "Apply the worker's patch to the checkout",
    answers: decide,
    continuation: "apply_patch",
    policy: "autopilot",
  },
  repo_context_external_transfer: {
    title: "Send repository context off this machine",
    answers: allow,
    continuation: "call_provider",
    policy: "transfer",
  },
  progress_packet_external_transfer: {
    title: "Send a progress packet off this machine",
    answers: allow,
    continuation: "call_provider",
    policy: "transfer",
  },
  run_evidence_external_transfer: {
    title: "Send the run's diff, logs and findings off this machine",
    answers: allow,
    continuation: "call_provider",
    policy: "transfer",
  },
  protected_patch_changes: {
    title: "Go on with changes to protected paths",
    answers: decide,
    continuation: "verify",
    policy: "never",
  },
  dirty_checkout_before_patch: {
    title: "The checkout has changes of yours in the way",
    answers: ["approve", "abort", "reject"],
    continuation: "retry_integration",
    policy: "never",
  },
  integration_failed: {
    title: "The patch could not be applied",
    answers: decide,
    continuation: "retry_integration",
    policy: "never",
  },
  provider_blocked: {
    title: "A role says it cannot go on",
    answers: decide,
    continuation: "call_provider",
    policy: "never",
  },
  provider_in_doubt: {
    title: "A call was sent and its outcome is unknown",
    answers: ["retry", "abort"],
    continuation: "call_provider",
    policy: "never",
  },
  provider_requested_approval: {
    title: "A role asks for your decision",
    answers: decide,
    continuation: "call_provider",
    policy: "never",
  },
  orchestrator_complete_without_evidence: {
    title: "A role says the goal is reached and names no evidence",
    answers: decide,
    continuation: "review",
    policy: "never",
  },
  critic_safety_review: {
    title: "The critic calls the work unsafe or unclear",
    answers: ["approve", "revise", "abort"],
    continuation: "review",
    policy: "never",
  },
  verifier_verdict: {
    title: "The verifier leaves the decision to you",
    answers: ["accept", "revise", "abort"],
    continuation: "conclude",
    policy: "never",
  },
  verifier_unassigned: {
    title: "Nobody is assigned to verify",
    answers: ["approve", "abort"],
    continuation: "assign_role",
    policy: "never",
  },
  role_unassigned: {
    title: "A role that is needed has nobody",
    answers: ["approve", "abort"],
    continuation: "assign_role",
    policy: "never",
  },
  self_read_only_delegate: {
    title: "A role hands the work to itself",
    answers: decide,
    continuation: "plan_again",
    policy: "never",
  },
  missing_read_only_delegate_assignment: {
    title: "A role hands the work to one that has nobody",
    answers: decide,
    continuation: "assign_role",
    policy: "never",
  },
  unsupported_read_only_delegate_role: {
    title: "A role hands the work to one that cannot take it here",
    answers: decide,
    continuation: "plan_again",
    policy: "never",
  },
  repeated_repo_context_delegate: {
    title: "A role keeps asking for repository evidence",
    answers: decide,
    continuation: "plan_again",
    policy: "never",
  },
  repeated_remote_repo_context_delegate: {
    title: "A role asks again although it has the remote repository",
    answers: decide,
    continuation: "plan_again",
    policy: "never",
  },
  validation_waiver: {
    title: "A check does not pass, and only you can let it stand",
    answers: decide,
    continuation: "conclude",
    policy: "never",
  },
  repeated_failure: {
    title: "The run goes in circles",
    answers: ["revise", "abort"],
    continuation: "repair",
    policy: "never",
  },
  token_budget: {
    title: "The token budget is used up",
    answers: ["extend", "abort"],
    continuation: "call_provider",
    policy: "never",
  },
  time_budget: {
    title: "The time budget is used up",
    answers: ["extend", "abort"],
    continuation: "call_provider",
    policy: "never",
  },
  answer_budget: {
    title: "The answers of the run are used up",
    answers: ["extend", "abort"],
    continuation: "call_provider",
    policy: "never",
  },
  money_budget: {
    title: "The money budget is used up",
    answers: ["extend", "abort"],
    continuation: "call_provider",
    policy: "never",
  },
  role_switch: {
    title: "Switch who fills a role in this run",
    answers: ["approve", "reject"],
    continuation: "assign_role",
    policy: "never",
  },
  risky_command: {
    title: "Run a risky command",
    answers: ["approve", "reject"],
    continuation: "run_command",
    policy: "never",
  },
};
