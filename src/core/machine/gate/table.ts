// Each kind of gate: its answers, where the run goes on when it is passed, whether a policy may pass it, what
// a careless approval can cost, the receiver of a revision, and its class of failure. No field has a default: the
// compiler names each that a new kind lacks.
import type { Continuation, FailureClass, GateAnswer, GateKind } from "../../contract/index.ts";

/** How much a person can lose by a careless approval. It orders the open gates and decides nothing. */
export type GateRisk = "low" | "medium" | "high";

export interface GateRules {
  readonly title: string;
  readonly answers: readonly GateAnswer[];
  readonly continuation: Continuation;
  /** `never`: no policy passes this gate. `transfer`: the policy for manifests decides. */
  readonly policy: "never" | "autopilot" | "transfer";
  /** `medium`: an approval changes files or sends data off this machine. */
  readonly risk: GateRisk;
  /** The receiver of the message of `revise`: the role whose decision opened the gate, or the worker. */
  readonly revises: "decider" | "worker";
  /** Unless the request names another. */
  readonly failureClass: FailureClass;
}

const decide = ["approve", "revise", "reject", "abort"] as const;
const allow = ["approve", "reject", "abort"] as const;
const extend = ["extend", "reject", "abort"] as const;

// What gates of a sort have in common; a row says where it differs.
const step = { policy: "autopilot", risk: "low", revises: "worker", failureClass: "approval_required" } as const;
const transfer = {
  answers: ["approve", "remember", "reject", "abort"],
  continuation: "call_provider",
  policy: "transfer",
  risk: "medium",
  revises: "worker",
  failureClass: "approval_required",
} as const;
const unsafe = { policy: "never", risk: "high", revises: "worker", failureClass: "unsafe_action" } as const;
const failed = { policy: "never", risk: "medium", revises: "worker", failureClass: "unknown_failure" } as const;
const blocked = {
  continuation: "call_provider",
  policy: "never",
  risk: "medium",
  revises: "decider",
  failureClass: "provider_error",
} as const;
const unclear = {
  answers: decide,
  policy: "never",
  risk: "low",
  revises: "decider",
  failureClass: "ambiguous_goal",
} as const;
const unassigned = {
  continuation: "assign_role",
  policy: "never",
  risk: "low",
  revises: "worker",
  failureClass: "approval_required",
} as const;
const spent = {
  answers: extend,
  continuation: "call_provider",
  policy: "never",
  risk: "low",
  revises: "worker",
  failureClass: "budget_exhausted",
} as const;

export const gateTable: Readonly<Record<GateKind, GateRules>> = {
  implementation_start: {
    ...step,
    title: "Start editing in an isolated worktree",
    answers: decide,
    continuation: "start_implementing",
    revises: "decider",
  },
  provider_invocation: {
    ...step,
    title: "Call a model-backed provider for read-only work",
    answers: allow,
    continuation: "call_provider",
  },
  summon_provider_invocation: {
    ...step,
    title: "Call a model-backed provider beside the loop",
    answers: allow,
    continuation: "call_provider",
  },
  isolated_patch_application: {
    ...step,
    title: "Apply the worker's patch to the checkout",
    answers: decide,
    continuation: "apply_patch",
    risk: "medium",
  },
  repo_context_external_transfer: { ...transfer, title: "Send repository context off this machine" },
  progress_packet_external_transfer: { ...transfer, title: "Send a progress packet off this machine" },
  run_evidence_external_transfer: { ...transfer, title: "Send the run's diff, logs and findings off this machine" },
  protected_patch_changes: {
    ...unsafe,
    title: "Go on with changes to protected paths",
    answers: decide,
    continuation: "verify",
    // A changed test is a question; a removed one is a risk, which the rows of the gate say.
    risk: "medium",
  },
  dirty_checkout_before_patch: {
    ...failed,
    title: "The checkout has changes of yours in the way",
    answers: ["approve", "abort", "reject"],
    continuation: "retry_integration",
    failureClass: "permission_denied",
  },
  integration_failed: {
    ...failed,
    title: "The patch could not be applied",
    answers: decide,
    continuation: "retry_integration",
  },
  provider_blocked: { ...blocked, title: "A role says it cannot go on", answers: decide },
  provider_in_doubt: {
    ...unsafe,
    title: "An agent was interrupted: ask it again?",
    answers: ["retry", "abort"],
    continuation: "call_provider",
    failureClass: "provider_error",
  },
  provider_requested_approval: {
    ...blocked,
    title: "A role asks for your decision",
    answers: decide,
    failureClass: "ambiguous_goal",
  },
  task_contradiction: {
    ...unclear,
    title: "Test or task? The worker says that they disagree",
    answers: ["approve", "revise", "abort"],
    continuation: "verify",
    revises: "worker",
  },
  orchestrator_complete_without_evidence: {
    ...unclear,
    title: "A role says the goal is reached and names no evidence",
    continuation: "review",
    risk: "high",
  },
  critic_safety_review: {
    ...unsafe,
    title: "The critic calls the work unsafe or unclear",
    answers: ["approve", "revise", "abort"],
    continuation: "review",
  },
  verifier_verdict: {
    ...failed,
    title: "The verifier leaves the decision to you",
    answers: ["accept", "revise", "abort"],
    continuation: "conclude",
    failureClass: "ambiguous_goal",
  },
  verifier_unassigned: { ...unassigned, title: "No agent is assigned to verify", answers: ["approve", "abort"] },
  role_unassigned: {
    ...unassigned,
    title: "No agent is assigned to a role that is needed",
    answers: ["approve", "abort"],
  },
  self_read_only_delegate: { ...unclear, title: "A role hands the work to itself", continuation: "plan_again" },
  missing_read_only_delegate_assignment: {
    ...unclear,
    title: "A role hands the work to a role without an agent",
    continuation: "assign_role",
    failureClass: "approval_required",
  },
  unsupported_read_only_delegate_role: {
    ...unclear,
    title: "A role hands the work to one that cannot take it here",
    continuation: "plan_again",
  },
  repeated_repo_context_delegate: {
    ...unclear,
    title: "A role keeps asking for repository evidence",
    continuation: "plan_again",
  },
  repeated_remote_repo_context_delegate: {
    ...unclear,
    title: "A role asks again although it has the remote repository",
    continuation: "plan_again",
    risk: "medium",
  },
  validation_waiver: {
    ...unsafe,
    title: "A check does not pass, and only you can let it stand",
    answers: decide,
    continuation: "conclude",
    failureClass: "unknown_failure",
  },
  repeated_failure: {
    ...failed,
    title: "The same problem came back",
    answers: ["revise", "abort"],
    continuation: "repair",
  },
  token_budget: { ...spent, title: "The token budget is used up" },
  time_budget: { ...spent, title: "The time budget is used up" },
  answer_budget: { ...spent, title: "The model calls of the run are used up", risk: "medium" },
  money_budget: { ...spent, title: "The money budget is used up", risk: "medium" },
  role_switch: { ...unassigned, title: "Switch who fills a role in this run", answers: ["approve", "reject"] },
  scope_change: {
    ...step,
    policy: "never",
    title: "Widen what you agreed to at the start",
    answers: ["approve", "reject"],
    continuation: "call_provider",
  },
  risky_command: {
    ...unsafe,
    title: "Run a risky command",
    answers: ["approve", "reject"],
    continuation: "run_command",
  },
};

/** Whether a gate asks to send data off this machine. */
export const isTransferGate = (kind: GateKind): boolean => gateTable[kind].policy === "transfer";
