// The payload schemas of every role's answer: decision, research, implementation, QA, verification, critique, citation and
// reconciliation.
import { z } from "zod";
import { role } from "../role.ts";
import { blindTestLimits, common, line, lines, path, paths, refs, evidence, responseLimits, risks } from "./fields.ts";

export const decisionActions = [
  "delegate",
  "verify",
  "critique",
  "request_approval",
  "revise_plan",
  "complete",
  "abort",
] as const;

export const confidence = z.enum(["low", "medium", "high"]);

/** The slice of work for a worker. Its paths can only narrow the paths that the run allows. */
const task = z.strictObject({
  objective: line,
  allowedPaths: paths.optional(),
  disallowedPaths: paths.optional(),
  acceptanceCriteria: lines.optional(),
  toolPermissions: lines.optional(),
});

export const decision = z.strictObject({
  ...common,
  action: z.enum(decisionActions),
  reason: line,
  confidence: confidence.optional(),
  delegateTo: role.optional(),
  nextRole: role.optional(),
  requiresMoreEvidence: z.boolean().optional(),
  sliceName: z.string().min(1).max(200).optional(),
  targetPaths: paths.optional(),
  /** Files whose text the deciding role requests. */
  requestedPaths: z.array(path).max(24).optional(),
  artifactRefs: refs.optional(),
  acceptanceCriteria: lines.optional(),
  openQuestions: lines.optional(),
  task: task.optional(),
});

export const researchResult = z.strictObject({
  ...common,
  summary: line,
  findings: z
    .array(
      z.union([line, z.strictObject({ finding: line, source: line.optional(), confidence: confidence.optional() })]),
    )
    .max(responseLimits.list)
    .optional(),
  openQuestions: lines.optional(),
});

const changeTypes = ["added", "modified", "deleted", "renamed"] as const;

const contradiction = z.strictObject({ test: line.optional(), requirement: line.optional(), why: line });

/** The worker's own report. The runtime takes changed files from the captured patch, never from here. */
export const implementationResult = z.strictObject({
  ...common,
  status: z.enum(["changed", "no_change", "blocked", "failed"]),
  changedFiles: z
    .array(z.union([path, z.strictObject({ path, changeType: z.enum(changeTypes) })]))
    .max(1_000)
    .optional(),
  commandsRun: lines.optional(),
  /** Why nothing had to be changed. With it, and a verifier that agrees, `no_change` is a good end. */
  reason: line.optional(),
  /** The test, or the requirement, that disagrees with the rest of the task. A person decides; it is no failure. */
  contradiction: contradiction.optional(),
  unresolvedRisks: risks.optional(),
});

export const qaResult = z.strictObject({
  ...common,
  verdict: z.enum(["pass", "needs_revision", "needs_more_evidence", "blocked"]),
  summary: line,
  missedCases: lines.optional(),
  suggestedCommands: lines.optional(),
  risks: risks.optional(),
});

export const verificationResult = z.strictObject({
  ...common,
  verdict: z.enum(["approve", "revise", "abort", "ask_user"]),
  summary: line,
  evidence: evidence.optional(),
  failedCriteria: lines.optional(),
  risks: risks.optional(),
  nextAction: z.union([line, z.strictObject({ role, instruction: line })]).optional(),
  /** Shell lines that the runtime runs on a copy of the work before it calls this role again. */
  requestedCommands: lines.optional(),
});

export const critiqueResult = z.strictObject({
  ...common,
  verdict: z.enum(["acceptable", "needs_revision", "unsafe", "unclear"]),
  summary: line.optional(),
  risks: risks.optional(),
  missingCases: lines.optional(),
  alternatives: lines.optional(),
  blockingConcerns: lines.optional(),
  nonBlockingConcerns: lines.optional(),
});

export const citationResult = z.strictObject({
  ...common,
  verdict: z.enum(["supported", "unsupported", "unclear"]),
  summary: line,
  claims: z
    .array(
      z.strictObject({
        claim: line,
        ref: z.string().min(1).max(200).optional(),
        /** An exact excerpt of the artifact: the runtime searches for it. */
        quote: line.optional(),
        verdict: z.enum(["supported", "unsupported", "unclear"]),
        finding: line.optional(),
      }),
    )
    .max(responseLimits.list)
    .optional(),
});

/** Tests for what was asked, by an agent that has not seen the work. The runtime runs them; none is integrated. */
export const blindTestsResult = z.strictObject({
  ...common,
  summary: line,
  tests: z
    .array(z.strictObject({ path, content: z.string().min(1).max(blindTestLimits.chars) }))
    .max(blindTestLimits.files),
});

/** The advisory answer to a progress packet. */
export const reconciliationResult = z.strictObject({
  ...common,
  status: z.enum(["complete", "partial", "off_plan", "blocked"]),
  completedPlanItems: lines.optional(),
  satisfiedCriteria: lines.optional(),
  openCriteria: lines.optional(),
  missingPlanItems: lines.optional(),
  deviations: lines.optional(),
  nextRecommendedSlice: z
    .strictObject({ objective: line, rationale: line.optional(), acceptanceCriteria: lines.optional() })
    .optional(),
  needsUserDecision: z.boolean().optional(),
  userDecisionReason: line.optional(),
});
