// The events of a run, as the log stores them. A reader refuses an unknown type.
import { z } from "zod";
import { artifactRef } from "../artifact.ts";
import { role } from "../role.ts";
import {
  resolvedAssignment,
  roleAssignments,
  callRecord,
  callResult,
  directiveRecord,
  postedRecord,
  usage,
} from "./call.ts";
import { blindTests, keptTests } from "./blind.ts";
import { checkEvidence, checkSpec, commandRecord } from "./check.ts";
import { gitEvidence, remoteContext, repoContext, repositoryInspection, transferManifest } from "./evidence.ts";
import { actor, approvalRecord, gate } from "./gate.ts";
import { baseState, capturedPatch, checkoutLook, integrationReport, patchJudgement, takenOut } from "./patch.ts";
import { policy } from "./policy.ts";
import { ciResult, openedRequest } from "./request.ts";
import { criticTrigger, reviewRouting, revisionPacket, validationSummary } from "./review.ts";
import { sideJob, sideOutcome } from "./side.ts";
import { runMessage } from "./message.ts";
import { activeState, failureClass, finding, runMode, stopReason } from "./vocabulary.ts";

const pass = z.int().nonnegative();

/** Frozen at the start: later changes of configuration do not affect the run. */
export const runCreated = z.object({
  type: z.literal("run_created"),
  /** 2 when it has flags: a program that does not support flags must not continue the run. */
  version: z.literal([1, 2]),
  runId: z.string(),
  goal: z.string().min(1),
  mode: runMode,
  constraints: z.array(z.string()),
  acceptanceCriteria: z.array(z.string()),
  preferredRole: role.exclude(["integrator", "implementer"]).nullable(),
  policy,
  roles: roleAssignments,
  /** Agents that replace a role's agent when it fails, in order, from the user's own configuration. */
  fallbacks: z.partialRecord(role.exclude(["integrator"]), z.array(resolvedAssignment).max(8)).optional(),
  /** Null outside a git repository; then only read-only modes exist. */
  baseCommit: z.string().nullable(),
  baseTree: z.string().nullable(),
  branch: z.string().nullable(),
  createdBy: actor,
  /** The work is to be committed when the run completes. */
  commit: z.literal(true).optional(),
  /** The verified work becomes a commit on this new branch, and the checkout is not touched. */
  toBranch: z.string().min(1).optional(),
  /** Texts of others that the run began with, such as an issue: data for every agent, never an instruction. */
  quoted: z.array(artifactRef).max(10).optional(),
  /** What in these texts speaks to an agent instead of describing work. */
  quotedWarnings: z.array(z.string().max(300)).max(20).optional(),
  /** The run that this one follows up or repeats. */
  follows: z.object({ runId: z.string(), how: z.enum(["after", "again", "revision"]) }).optional(),
  /** One of several attempts at the same goal on the same base; `group` is the first of them, which names none. */
  attempt: z
    .object({ number: z.int().positive(), of: z.int().min(2).max(8), group: z.string().max(100).optional() })
    .optional(),
  /** `toBranch` exists: the commit of the work follows the base commit, which is the tip of that branch. */
  continuesBranch: z.literal(true).optional(),
  /** The branch is to be pushed to this remote, and a draft pull request opened, once the work is committed. */
  pullRequest: z
    .object({ remote: z.string().max(200), url: z.string().max(2_000), into: z.string().max(500).optional() })
    .optional(),
  /** Numbers of the rule changes that apply to this run until its end. */
  flags: z.array(z.int().positive()).max(1_000).optional(),
});
export type RunCreated = z.infer<typeof runCreated>;

const runEvents = [
  runCreated,
  z.object({ type: z.literal("run_ready"), inspection: repositoryInspection }),
  z.object({
    type: z.literal("state_changed"),
    from: activeState,
    to: activeState,
    pass,
    why: z.string(),
  }),
  z.object({ type: z.literal("finding_recorded"), pass, finding }),

  // Approvals
  z.object({ type: z.literal("approval_required"), gate }),
  z.object({ type: z.literal("approval_recorded"), approval: approvalRecord }),
  z.object({
    type: z.literal("approval_auto_approved"),
    gate,
    approval: approvalRecord,
    policyReason: z.string(),
    manifest: artifactRef.nullable(),
  }),
  z.object({
    type: z.literal("budget_extended"),
    by: actor,
    addTokens: z.int().nonnegative(),
    addMs: z.number().nonnegative(),
    addAnswers: z.int().nonnegative().optional(),
    addUsd: z.number().nonnegative().optional(),
  }),
  /** `callId`: the call that was stopped for it. */
  z.object({ type: z.literal("message_received"), message: runMessage, by: actor, callId: z.string().optional() }),
  z.object({
    type: z.literal("role_assigned"),
    role: role.exclude(["integrator"]),
    assignment: resolvedAssignment,
    by: actor,
  }),

  // Calls
  z.object({ type: z.literal("agent_asked"), call: callRecord, why: z.string() }),
  /** A deciding role requested files; empty when it named none. */
  z.object({
    type: z.literal("repo_context_requested"),
    callId: z.string(),
    role,
    paths: z.array(z.string()),
  }),
  z.object({ type: z.literal("repo_context_captured"), requestedBy: role, context: repoContext }),
  z.object({
    type: z.literal("remote_repo_context_selected"),
    remote: remoteContext.nullable(),
    /** Why there is no remote context; local capture is used then. */
    reason: z.string(),
  }),
  z.object({
    type: z.literal("external_transfer_manifest_written"),
    callId: z.string(),
    manifest: transferManifest,
  }),
  z.object({ type: z.literal("agent_directive_created"), callId: z.string(), record: directiveRecord }),
  z.object({ type: z.literal("provider_wait_posted"), callId: z.string(), record: postedRecord }),
  z.object({
    type: z.literal("agent_response"),
    callId: z.string(),
    role: role.exclude(["integrator"]),
    lane: z.enum(["main", "side"]),
    outcome: callResult,
    usage,
    tookMs: z.number().nonnegative(),
    /** The part of it that counts against the run's time, when several calls ran in parallel. */
    spentMs: z.number().nonnegative().optional(),
    /** Logs and `provider_invocation`. */
    artifacts: z.array(artifactRef),
    /** The confinement of the agent program of this call. Absent for a call that started no program here. */
    sandbox: z.string().optional(),
  }),
  /** The provider refuses calls until then: the run waits, and its call is asked again. */
  z.object({ type: z.literal("provider_limited"), callId: z.string(), until: z.number(), why: z.string() }),
  z.object({ type: z.literal("provider_limit_over"), callId: z.string() }),
  z.object({ type: z.literal("plan_recorded"), callId: z.string(), plan: artifactRef, summary: z.string() }),
  z.object({ type: z.literal("plan_superseded"), plan: artifactRef, why: z.string() }),

  // Work
  z.object({
    type: z.literal("checks_discovered"),
    variant: z.enum(["base", "work"]),
    checks: z.array(checkSpec),
  }),
  z.object({
    type: z.literal("isolated_patch_captured"),
    pass,
    patch: capturedPatch.nullable(),
    keptRef: z.string().nullable(),
    /** The record of the worker's program, with its patch. */
    invocation: artifactRef.optional(),
  }),
  z.object({ type: z.literal("integration_patch_prepared"), pass, judgement: patchJudgement }),
  z.object({ type: z.literal("patch_applied"), pass, integration: integrationReport }),
  z.object({
    type: z.literal("integration_blocked"),
    pass,
    reason: z.enum(["dirty_checkout", "head_moved", "failed"]),
    message: z.string(),
    paths: z.array(z.string()),
    /** Of the paths those that hold uncommitted work of another run, as that run left it. */
    ofRuns: z.array(z.object({ path: z.string(), runId: z.string(), goal: z.string() })).optional(),
  }),
  /** The checkout as a tree: before a verified candidate is applied, and as the last step before completion (B-2). */
  z.object({ type: z.literal("checkout_looked"), pass, look: checkoutLook }),
  /** The base or the checkout changed: the candidate was rebuilt on the current content (B-1). */
  z.object({ type: z.literal("candidate_rebuilt"), pass, onto: baseState, patch: capturedPatch }),
  /** The candidate conflicts with the current content. The worker's folder holds both, with conflict markers. */
  z.object({
    type: z.literal("candidate_conflicted"),
    pass,
    onto: baseState,
    tree: z.string(),
    paths: z.array(z.string()),
    message: z.string(),
  }),
  z.object({
    type: z.literal("git_evidence_captured"),
    pass,
    moment: z.enum(["before", "after", "asked"]),
    evidence: gitEvidence,
  }),
  z.object({
    type: z.literal("check_executed"),
    pass,
    check: checkEvidence,
    tookMs: z.number().nonnegative(),
  }),
  z.object({ type: z.literal("validation_evidence_captured"), pass, validation: validationSummary }),
  /** The open gate is withdrawn, and every check of this pass runs again. No agent is called. */
  z.object({ type: z.literal("checks_asked_again"), pass, by: actor }),
  z.object({
    type: z.literal("validation_waived"),
    pass,
    checkId: z.string(),
    command: z.string(),
    tree: z.string(),
    by: actor,
    message: z.string(),
  }),

  /** The blind tests on this pass's work and on the base, or why there are none. `callId`: the answer that holds them. */
  z.object({
    type: z.literal("blind_tests_run"),
    pass,
    callId: z.string().nullable(),
    tests: blindTests,
    tookMs: z.number().nonnegative(),
  }),
  /** A person wants the blind tests as files in the checkout, once the run is over. */
  z.object({ type: z.literal("blind_tests_wanted"), by: actor }),
  z.object({ type: z.literal("blind_tests_kept"), kept: keptTests }),

  // Review
  z.object({ type: z.literal("review_routing_decided"), pass, routing: reviewRouting }),
  z.object({ type: z.literal("critic_trigger_written"), pass, trigger: criticTrigger }),
  z.object({ type: z.literal("revision_packet_written"), packet: revisionPacket }),
  z.object({ type: z.literal("revision_delegated"), revisionId: z.string(), pass }),
  /** The user accepted the work as it is. */
  z.object({
    type: z.literal("work_accepted_by_user"),
    pass,
    tree: z.string(),
    by: actor,
    message: z.string(),
  }),

  // Side tasks
  z.object({ type: z.literal("side_requested"), job: sideJob, by: actor }),
  z.object({
    type: z.literal("fanout_requested"),
    groupId: z.string(),
    items: z.int().positive(),
    maxItems: z.int(),
    by: actor,
  }),
  z.object({
    type: z.literal("side_command_classified"),
    sideId: z.string(),
    class: z.string(),
    why: z.string(),
  }),
  /** A command with possible side effects is about to start: from here on it is never started a second time. */
  z.object({ type: z.literal("command_begun"), sideId: z.string() }),
  z.object({
    type: z.literal("command_executed"),
    sideId: z.string().nullable(),
    command: commandRecord,
    tookMs: z.number().nonnegative(),
  }),
  z.object({
    type: z.literal("side_completed"),
    sideId: z.string(),
    outcome: sideOutcome,
    why: z.string(),
    artifact: artifactRef.nullable(),
  }),
  z.object({
    type: z.literal("agent_fanout_completed"),
    groupId: z.string(),
    status: z.enum(["completed", "blocked", "failed"]),
    artifact: artifactRef,
  }),
  z.object({
    type: z.literal("reconciliation_completed"),
    sideId: z.string(),
    artifact: artifactRef,
    status: z.string(),
  }),
  z.object({
    type: z.literal("role_switch_requested"),
    role: role.exclude(["integrator"]),
    assignment: resolvedAssignment,
    by: actor,
  }),
  z.object({ type: z.literal("agent_board_written"), artifact: artifactRef }),

  // Ends
  z.object({
    type: z.literal("final_report_written"),
    report: artifactRef,
    markdown: artifactRef,
    proven: z.int().nonnegative(),
    unproven: z.int().nonnegative(),
  }),
  z.object({ type: z.literal("progress_packet_written"), packet: artifactRef }),
  z.object({ type: z.literal("run_completed"), stopReason, by: z.string(), summary: z.string() }),
  z.object({
    type: z.literal("run_failed"),
    stopReason,
    failureClass,
    message: z.string(),
    remedy: z.string().nullable(),
  }),
  z.object({ type: z.literal("run_aborted"), stopReason, by: z.string(), message: z.string() }),
  z.object({
    type: z.literal("workspace_retired"),
    keptRefs: z.array(z.string()),
    /** The folder that could not be removed, and why. */
    left: z.string().optional(),
  }),
  z.object({ type: z.literal("request_opened"), request: openedRequest, by: actor }),
  z.object({ type: z.literal("ci_recorded"), ci: ciResult, by: actor }),
  z.object({ type: z.literal("undo_requested"), by: actor }),
  z.object({ type: z.literal("work_taken_out"), taken: takenOut }),
  /** The checkout was not changed. */
  z.object({ type: z.literal("undo_blocked"), message: z.string(), paths: z.array(z.string()) }),
] as const;

export const runEvent = z.discriminatedUnion("type", runEvents);
export type RunEvent = z.infer<typeof runEvent>;
export type RunEventType = RunEvent["type"];
export type RunEventOf<T extends RunEventType> = Extract<RunEvent, { type: T }>;

/** An event with its sequence number and time. */
export interface Recorded<E extends RunEvent = RunEvent> {
  readonly seq: number;
  readonly at: number;
  readonly event: E;
}
