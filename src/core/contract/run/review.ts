// Runtime decisions about review: routing, critic triggers, revision packets, the summary of validation.
import { z } from "zod";
import { artifactRef } from "../artifact.ts";
import { role } from "../role.ts";
import { checkStanding } from "./check.ts";
import { failureClass, riskTier } from "./vocabulary.ts";

export const reviewRouting = z.object({
  tier: riskTier,
  action: z.enum(["run_qa", "run_verifier", "ask_user", "repair"]),
  required: z.object({
    validation: z.boolean(),
    qa: z.boolean(),
    verifier: z.boolean(),
    critic: z.boolean(),
  }),
  skipped: z.array(z.object({ role, reason: z.string() })),
  reasons: z.array(z.string()),
  signals: z.record(z.string(), z.union([z.number(), z.boolean(), z.string()])),
  artifact: artifactRef,
});
export type ReviewRouting = z.infer<typeof reviewRouting>;

const criticReasons = [
  "verifier_failed",
  "verifier_inconclusive",
  "validation_mismatch",
  "qa_failed",
  "qa_inconclusive",
] as const;
const criticReason = z.enum(criticReasons);
export type CriticReason = z.infer<typeof criticReason>;

export const criticTrigger = z.object({
  reasonCode: criticReason,
  reason: z.string(),
  called: z.boolean(),
  sourceRoles: z.array(z.string()),
  evidenceRefs: z.array(z.string()),
  /** The response that caused it. */
  responseRef: z.string().nullable(),
  /** The critic's answer, once it exists. */
  criticResponseRef: z.string().nullable().optional(),
  artifact: artifactRef,
});
export type CriticTrigger = z.infer<typeof criticTrigger>;

const revisionReasons = [
  "qa_needs_revision",
  "verifier_revise",
  "critic_needs_revision",
  "critic_blocking_concerns",
  "validation_regression",
  "patch_rejected",
  "base_moved",
  "blind_tests_fail",
  "user_revise",
] as const;
const revisionReason = z.enum(revisionReasons);
export type RevisionReason = z.infer<typeof revisionReason>;

export const revisionPacket = z.object({
  revisionId: z.string(),
  /** The pass whose work must be repaired. */
  pass: z.int().nonnegative(),
  sourceRole: z.string(),
  reasonCode: revisionReason,
  /** The class of the failure that it repairs, when it is known. */
  failureClass: failureClass.nullable(),
  reason: z.string(),
  objective: z.string(),
  acceptanceCriteria: z.array(z.string()).max(8),
  evidenceRefs: z.array(z.string()).max(8),
  responseRef: z.string().nullable(),
  criticTriggerRef: z.string().nullable(),
  /** Two packets with one fingerprint have the same content. */
  fingerprint: z.string(),
  artifact: artifactRef,
});
export type RevisionPacket = z.infer<typeof revisionPacket>;

/** All checks of one pass, compared with the base. */
export const validationSummary = z.object({
  tree: z.string(),
  baseTree: z.string(),
  checks: z.array(z.object({ checkId: z.string(), command: z.string(), standing: checkStanding })),
  artifact: artifactRef,
});
export type ValidationSummary = z.infer<typeof validationSummary>;
