// A gate: the question, the exact text that is shown, the possible answers, and how the run continues; also the actor, the
// recorded approval and the text that is signed.
import { z } from "zod";
import { artifactRef, sha256Hex } from "../artifact.ts";
import { assignment, role } from "../role.ts";
import { doubt } from "./doubt.ts";
import { destinationBounds } from "./policy.ts";
import { failureClass } from "./vocabulary.ts";

export const gateKinds = [
  "implementation_start",
  "provider_invocation",
  "summon_provider_invocation",
  "isolated_patch_application",
  "repo_context_external_transfer",
  "progress_packet_external_transfer",
  "run_evidence_external_transfer",
  "protected_patch_changes",
  "dirty_checkout_before_patch",
  "integration_failed",
  "provider_blocked",
  "provider_in_doubt",
  "provider_requested_approval",
  "task_contradiction",
  "orchestrator_complete_without_evidence",
  "critic_safety_review",
  "verifier_verdict",
  "verifier_unassigned",
  "role_unassigned",
  "self_read_only_delegate",
  "missing_read_only_delegate_assignment",
  "unsupported_read_only_delegate_role",
  "repeated_repo_context_delegate",
  "repeated_remote_repo_context_delegate",
  "validation_waiver",
  "repeated_failure",
  "token_budget",
  "time_budget",
  "answer_budget",
  "money_budget",
  "role_switch",
  "scope_change",
  "risky_command",
] as const;
const gateKind = z.enum(gateKinds);
export type GateKind = z.infer<typeof gateKind>;

/** The amount that extends the budget of a gate, by the kind of the gate. */
export const budgetGates = {
  token_budget: "addTokens",
  time_budget: "addMinutes",
  answer_budget: "addAnswers",
  money_budget: "addUsd",
} as const satisfies Partial<Record<GateKind, string>>;
export const extendedBy = (kind: GateKind): (typeof budgetGates)[keyof typeof budgetGates] | undefined =>
  kind in budgetGates ? budgetGates[kind as keyof typeof budgetGates] : undefined;

/**
 * The possible answers. `approve` allows the named action; `remember` also allows later transfers to the same destination
 * within the shown bounds; `accept` takes the work as it is; `revise` sends text to the role; `retry` repeats a call whose
 * outcome is unknown; `extend` raises a budget; `reject` and `abort` end the run.
 */
export const gateAnswers = ["approve", "remember", "accept", "revise", "retry", "extend", "reject", "abort"] as const;
export const gateAnswer = z.enum(gateAnswers);
export type GateAnswer = z.infer<typeof gateAnswer>;

/** How the run continues when the gate is passed. The runtime decides it when the gate opens; it is never read from text. */
const continuations = [
  "call_provider",
  "start_implementing",
  "apply_patch",
  "verify",
  "review",
  "conclude",
  "retry_integration",
  "repair",
  "plan_again",
  "assign_role",
  "run_command",
] as const;
const continuation = z.enum(continuations);
export type Continuation = z.infer<typeof continuation>;

/** The exact text that is shown. `sha256` is the hash of `text`, which contains the hash of every ref. */
const gateSubject = z.object({
  sha256: sha256Hex,
  /** Plain text: no control, escape, bidi or tag characters. */
  text: z.string(),
  refs: z.array(artifactRef),
});
export type GateSubject = z.infer<typeof gateSubject>;

/** One of several questions of a gate that are answered together. */
const gatePart = z.object({
  kind: gateKind,
  phrase: z.string().nullable(),
  checkId: z.string().optional(),
  cause: z.string().optional(),
});
export type GatePart = z.infer<typeof gatePart>;

/** The agents that an approval of the plan covers: no further gate asks about their calls in this run. */
const agreement = z.object({
  /** Role and assignment pairs that may be called. */
  uses: z.array(z.string()),
  /** Empty: each transfer is asked about by its manifest. Runs of older versions have entries here. */
  destinations: z.array(z.object({ assignment, maxBytes: z.int().nonnegative() })),
  /** False: a plan is approved when it is shown. True only in runs of older versions. */
  start: z.boolean(),
});
export type Agreement = z.infer<typeof agreement>;

export const gate = z.object({
  id: z.string(),
  kind: gateKind,
  /** `main` blocks the loop; `side` blocks a summon, a fan-out, a command or a role switch. */
  lane: z.enum(["main", "side"]),
  title: z.string(),
  /** The message must contain it, exactly. */
  phrase: z.string().nullable(),
  subject: gateSubject,
  answers: z.array(gateAnswer),
  continuation,
  /** The subjects of the answer, where they apply. */
  callId: z.string().optional(),
  role: role.optional(),
  assignment: assignment.optional(),
  checkId: z.string().optional(),
  sideId: z.string().optional(),
  /** Why it stopped, as a code. */
  cause: z.string().optional(),
  /** The class of the failure that opened the gate. */
  failureClass,
  /** All questions, the gate's own kind among them. Absent when the gate has one question. */
  parts: z.array(gatePart).optional(),
  /** The doubts of the runtime about the work, as they stand first in the shown text. */
  doubts: z.array(doubt).optional(),
  /** Becomes the agreement of the run when the gate is passed. */
  agreement: agreement.optional(),
  /** The bounds that the answer `remember` sets for this destination. */
  remembers: destinationBounds.optional(),
});
export type Gate = z.infer<typeof gate>;

/** The author of a command. A `host` is the program that drives the run, e.g. an MCP client. */
export const actor = z.object({
  kind: z.enum(["person", "host", "policy"]),
  surface: z.enum(["cli", "mcp", "tui", "web", "library", "runtime"]),
  name: z.string().max(200).optional(),
});
export type Actor = z.infer<typeof actor>;

export const approvalRecord = z.object({
  gateId: z.string(),
  kind: gateKind,
  answer: gateAnswer,
  by: actor,
  message: z.string(),
  subjectSha256: sha256Hex,
  /** Globs of files that only look like tests, declared as product together with the start. */
  productPaths: z.array(z.string().max(500)).max(200).optional(),
  /** The goal and what must be true at the end, as the person has them: they replace what the run began with. */
  goal: z.string().min(1).max(20_000).optional(),
  acceptanceCriteria: z.array(z.string().min(1).max(4_000)).min(1).max(50).optional(),
  /** The person wants the work on this new branch, and not in the checkout. */
  toBranch: z.string().min(1).max(200).optional(),
  /** The branch is pushed and a draft pull request is opened, once the work is committed. */
  pullRequest: z.literal(true).optional(),
  /** Made with the SSH key of the person, over `approvalText`. */
  signature: z.string().max(20_000).optional(),
});
export type ApprovalRecord = z.infer<typeof approvalRecord>;

/** The text that a person signs: this answer to this gate of this run, with the hash of the text that was shown. */
export const approvalText = (
  runId: string,
  { gateId, answer, subjectSha256 }: Pick<ApprovalRecord, "gateId" | "answer" | "subjectSha256">,
): string => `thehood approval 1\n${runId}\n${gateId}\n${answer}\n${subjectSha256}\n`;
