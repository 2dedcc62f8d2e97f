// One call of an agent in the log: assignment, directive, response and usage.
import { z } from "zod";
import { readAllowance, callPurpose, workspaceMode } from "../provider.ts";
import { assignment, role } from "../role.ts";
import { artifactRef } from "../artifact.ts";
import { priceSchema } from "../price.ts";
import { contractName, decisionActions, directiveAck } from "../answers/index.ts";

/** `found`: no configuration names the agent, and it was found on the machine. */
const assignmentSources = ["run", "repo", "user", "default", "found"] as const;

export const resolvedAssignment = z.object({
  assignment,
  provider: z.string(),
  model: z.string(),
  /** Two assignments with one identity are one agent. */
  identity: z.string(),
  boundary: z.enum(["local", "external"]),
  modelBacked: z.boolean(),
  edits: z.enum(["worktree", "patch", "none"]),
  /** The limits for reading files in one call, in addition to its directive. */
  reads: readAllowance.optional(),
  source: z.enum(assignmentSources),
  /** Why the runtime chose it. */
  why: z.string().max(300).optional(),
  /** The user's settings for this provider, frozen in this run; opaque to the machine. */
  options: z.unknown().optional(),
  /** By which a cost is estimated where the provider tells tokens only, with the origin of the price. */
  price: priceSchema.extend({ from: z.string().max(60) }).optional(),
});
export type ResolvedAssignment = z.infer<typeof resolvedAssignment>;

/** Not every role needs an agent. The integrator is runtime code and is never assigned. */
export const roleAssignments = z.partialRecord(role.exclude(["integrator"]), resolvedAssignment);
export type RoleAssignments = z.infer<typeof roleAssignments>;

const askedRole = role.exclude(["integrator"]);

/** Why a role is called; the directive's `context.phase`. */
const callPhases = [
  "plan",
  "delegate",
  "implement",
  "repair",
  "qa",
  "verify",
  "critique",
  "consult",
  "summon",
  "reconcile",
  "blind_tests",
] as const;
const callPhase = z.enum(callPhases);
export type CallPhase = z.infer<typeof callPhase>;

export const callRecord = z.object({
  callId: z.string(),
  lane: z.enum(["main", "side"]),
  role: askedRole,
  phase: callPhase,
  purpose: callPurpose,
  /** 1 for the first call of this role for this purpose in the run. */
  ordinal: z.int().positive(),
  /** The implementer pass it belongs to; 0 before the first. */
  pass: z.int().nonnegative(),
  assignment: resolvedAssignment,
  contract: contractName,
  workspace: workspaceMode,
  /** The call that this one repeats: its response was refused, was lost, or requested more context. */
  retryOf: z.string().nullable(),
  sideId: z.string().nullable(),
});
export type CallRecord = z.infer<typeof callRecord>;

export const usage = z.object({
  inputTokens: z.int().nonnegative(),
  outputTokens: z.int().nonnegative(),
  /** The part of the input that the service had read before. */
  cachedTokens: z.int().nonnegative().optional(),
  /** The provider reported nothing; estimated from bytes. */
  estimated: z.boolean(),
  /** As the provider reported it, in US dollars. */
  costUsd: z.number().nonnegative().optional(),
});
export type Usage = z.infer<typeof usage>;

/**
 * The brief of an accepted response: closed values and bounded lists that the runtime may act on. The artifact holds the
 * whole response.
 */
const text = z.string();
const texts = z.array(z.string());
const responseBrief = z.discriminatedUnion("contract", [
  z.object({
    contract: z.enum(["orchestrator_decision", "planner_decision"]),
    action: z.enum(decisionActions),
    reason: text,
    target: role.nullable(),
    requiresMoreEvidence: z.boolean(),
    objective: text.nullable(),
    requestedPaths: texts,
    targetPaths: texts,
    /** From the task; they can only narrow the paths that the run allows. */
    allowedPaths: texts,
    disallowedPaths: texts,
    acceptanceCriteria: texts,
    openQuestions: texts,
    evidenceRefs: texts,
  }),
  z.object({
    contract: z.literal("research_result"),
    findings: texts,
    openQuestions: texts,
    evidenceRefs: texts,
  }),
  z.object({
    contract: z.literal("implementation_result"),
    status: z.enum(["changed", "no_change", "blocked", "failed"]),
    changedFiles: texts,
    commandsRun: texts,
    reason: z.string().optional(),
    contradiction: z
      .object({ test: z.string().optional(), requirement: z.string().optional(), why: z.string() })
      .optional(),
    risks: texts,
    evidenceRefs: texts,
  }),
  z.object({
    contract: z.literal("qa_result"),
    verdict: z.enum(["pass", "needs_revision", "needs_more_evidence", "blocked"]),
    missedCases: texts,
    suggestedCommands: texts,
    risks: texts,
    evidenceRefs: texts,
  }),
  z.object({
    contract: z.literal("verification_result"),
    verdict: z.enum(["approve", "revise", "abort", "ask_user"]),
    failedCriteria: texts,
    risks: texts,
    nextAction: text.nullable(),
    evidenceRefs: texts,
    /** Shell lines, verbatim. */
    requestedCommands: texts.optional(),
  }),
  z.object({
    contract: z.literal("critique_result"),
    verdict: z.enum(["acceptable", "needs_revision", "unsafe", "unclear"]),
    blockingConcerns: texts,
    nonBlockingConcerns: texts,
    missingCases: texts,
    alternatives: texts,
    risks: texts,
    evidenceRefs: texts,
  }),
  z.object({
    contract: z.literal("citation_result"),
    verdict: z.enum(["supported", "unsupported", "unclear"]),
    unsupported: texts,
    evidenceRefs: texts,
  }),
  z.object({
    contract: z.literal("reconciliation_result"),
    status: z.enum(["complete", "partial", "off_plan", "blocked"]),
    completed: texts,
    open: texts,
    deviations: texts,
    nextSlice: text.nullable(),
    needsUserDecision: z.boolean(),
    evidenceRefs: texts,
  }),
  z.object({
    contract: z.literal("blind_tests_result"),
    /** The paths of its test files. */
    files: texts,
    evidenceRefs: texts,
  }),
]);
export type ResponseBrief = z.infer<typeof responseBrief>;

/** A change that an agent made although its role forbids it, with the paths. */
const callViolation = z.object({
  kind: z.enum(["checkout_changed", "git_folder_changed"]),
  paths: z.array(z.string()),
});
export type CallViolation = z.infer<typeof callViolation>;

export const callResult = z.discriminatedUnion("result", [
  z.object({
    result: z.literal("accepted"),
    status: z.enum(["ok", "blocked", "failed"]),
    summary: z.string(),
    brief: responseBrief.nullable(),
    response: artifactRef,
    /** The start of the long text, for status views. */
    markdown: z.object({ preview: z.string(), truncated: z.boolean(), chars: z.int() }).nullable(),
  }),
  z.object({
    result: z.literal("refused"),
    reason: z.enum(["oversize", "not_json", "schema", "ack_missing", "ack_stale", "ack_foreign"]),
    problems: z.array(z.string()),
    response: artifactRef.nullable(),
  }),
  z.object({
    result: z.literal("failed"),
    why: z.string(),
    timedOut: z.boolean(),
    /** The call was stopped because it used up this budget of the run. */
    budget: z.enum(["token", "money"]).optional(),
    violation: callViolation.optional(),
    /** A limit of the provider lasts until then, as it says itself. */
    until: z.number().optional(),
  }),
  /** It certainly never reached the provider. */
  z.object({
    result: z.literal("not_sent"),
    why: z.string(),
    remedy: z.string().nullable(),
    until: z.number().optional(),
  }),
  /** It was sent, and its outcome is unknown. */
  z.object({ result: z.literal("in_doubt"), why: z.string() }),
]);
export type CallResult = z.infer<typeof callResult>;

/** The record that is written before anything is sent. */
export const directiveRecord = z.object({
  directive: artifactRef,
  ack: directiveAck,
  /** The number of redacted secrets in its sources. */
  redactions: z.int().nonnegative(),
  /** Their kinds, each once. */
  secretKinds: z.array(z.string()).optional(),
  /** The bytes of the diff in it, and the total bytes of the diff. */
  diff: z.object({ given: z.int().nonnegative(), total: z.int().nonnegative() }).optional(),
  /** The text of earlier runs in it (S-10). */
  memory: artifactRef.optional(),
});
export type DirectiveRecord = z.infer<typeof directiveRecord>;

/** Recorded when the provider may have started (`provider_wait`). */
export const postedRecord = z.object({
  handle: z.string().nullable(),
  promptSha256: z.string(),
  target: z.string(),
});
export type PostedRecord = z.infer<typeof postedRecord>;
