// The schema of result.json, which programs read to decide the next step (T-26 to T-28). Every key is always present.
import { z } from "zod";
import { applyModes, engines, resultStatuses } from "../text.ts";

const count = z.number().int().nonnegative();
const textOrNull = z.string().nullable();

export const usageSchema = z
  .object({
    inputTokens: count.nullable(),
    outputTokens: count.nullable(),
    reasoningTokens: count.nullable(),
    totalTokens: count.nullable(),
  })
  .describe("Tokens as the provider counted them.");

const secretScanSchema = z.object({
  status: z.enum(["ok", "matches_detected"]),
  matches: z.array(z.string()).describe("Labels of what was found, each once, never values."),
});

export const runErrorSchema = z.object({
  code: z.string(),
  message: z.string(),
  remedy: textOrNull,
});

export const resultSchema = z
  .object({
    schemaVersion: z.literal(1),
    sessionId: textOrNull.describe("Null only when the run was refused before it had a session."),
    status: z.enum(resultStatuses),
    engine: z.enum(engines).nullable(),
    model: textOrNull,
    diffFound: z.boolean().describe("A diff block was found in the answer, valid or not."),
    diffValidated: z.boolean().describe("The diff passed every check that was asked for."),
    diffApplied: z.boolean().describe("The work tree changed, and in commit mode the change is committed."),
    treeHoldsPatch: z.boolean().describe("The work tree holds the patch, also when the commit failed."),
    applyMode: z.enum(applyModes),
    branch: textOrNull.describe("The branch that was really checked out."),
    commitSha: textOrNull,
    pushed: z.boolean(),
    retryCount: count,
    elapsedMs: count,
    promptChars: count,
    responseChars: count,
    patchBytes: count,
    diffPath: textOrNull.describe("Absolute path of the checked diff."),
    answerPath: textOrNull.describe("Absolute path of the captured answer."),
    answerHtmlPath: textOrNull,
    captureSource: textOrNull,
    secretScan: secretScanSchema,
    diffScore: count.nullable(),
    diffBlocks: count.nullable(),
    diffReason: textOrNull.describe(
      "Why there is no usable diff, or how it was converted; see docs/oracle.md for the closed set.",
    ),
    gitApplyError: textOrNull,
    approvalPath: textOrNull
      .default(null)
      .describe("The path that a person can allow with --approve-path; null where no approval helps."),
    gitCommitError: textOrNull,
    gitPushError: textOrNull,
    gitVersion: textOrNull,
    snapshots: z.array(z.string()),
    files: z
      .array(z.string())
      .default([])
      .describe("Absolute paths of pictures and files that the page made for the answer."),
    usage: usageSchema.nullable(),
    costUsd: z
      .number()
      .nonnegative()
      .nullable()
      .describe("By the provider's own figure, else by prices; null where neither is known."),
    warnings: z.array(z.string()),
    error: runErrorSchema.nullable(),
  })
  .describe("The outcome of one oracle run.");

export type RunResult = z.infer<typeof resultSchema>;
export type RunError = z.infer<typeof runErrorSchema>;

/** The part of a result that records finished steps. */
export const madeSchema = resultSchema.pick({
  answerPath: true,
  answerHtmlPath: true,
  captureSource: true,
  responseChars: true,
  diffFound: true,
  diffValidated: true,
  diffPath: true,
  patchBytes: true,
  treeHoldsPatch: true,
  diffApplied: true,
  branch: true,
  commitSha: true,
  pushed: true,
});
export type FinishedSteps = z.infer<typeof madeSchema>;
export const madeKeys = Object.keys(madeSchema.shape) as readonly (keyof FinishedSteps)[];

/** The published form. Readers must accept unknown keys. */
export function resultJsonSchema(): Record<string, unknown> {
  return {
    ...z.toJSONSchema(resultSchema, { io: "input", target: "draft-2020-12" }),
    $id: "urn:thehood:oracle:result:1",
    title: "oracle result.json",
  };
}
