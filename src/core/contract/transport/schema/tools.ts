// The output of the tools of `oracle mcp`.
import { z } from "zod";
import { resultSchema } from "./result.ts";

/** The files that would be sent: names and sizes, no content. */
const previewOutput = z.object({
  engine: z.string(),
  model: z.string(),
  target: z.string(),
  promptChars: z.number(),
  files: z.array(z.object({ path: z.string(), bytes: z.number(), tokens: z.number() })),
  excluded: z.array(z.object({ path: z.string(), reason: z.string() })),
  attachments: z.array(z.object({ name: z.string(), bytes: z.number(), mediaType: z.string() })),
  tokens: z.object({
    count: z.number(),
    exact: z.boolean(),
    budget: z.number(),
    inputUsd: z.number().nullable(),
  }),
  secrets: z.array(z.string()),
  warnings: z.array(z.string()),
  refusal: z.string().nullable().describe("Why a run would be refused."),
  bundle: z.object({
    format: z.string(),
    fileCount: z.number(),
    uncompressedBytes: z.number(),
    plannedPath: z.string().nullable(),
  }),
});

const consultOutput = z.object({
  sessionId: z.string().nullable().describe("Null for a dry run."),
  status: z.string(),
  done: z.boolean(),
  folder: z.string().nullable(),
  answer: z.string().nullable(),
  answerTruncated: z.boolean(),
  diff: z.string().nullable(),
  result: resultSchema.nullable(),
  preview: previewOutput.nullable().describe("For a dry run."),
  several: z
    .array(
      z.object({
        model: z.string(),
        sessionId: z.string().nullable().describe("Null where it could not start."),
        status: z.string(),
        done: z.boolean(),
        answer: z.string().nullable(),
      }),
    )
    .nullable()
    .describe("With models: one for each."),
  approval: z.string().nullable().describe("The command with which a person approves and applies the diff."),
});
export type ConsultOutput = z.infer<typeof consultOutput>;

const sessionsOutput = z.object({
  sessions: z.array(
    z.object({
      id: z.string(),
      status: z.string(),
      createdAt: z.string().nullable(),
      model: z.string().nullable(),
      promptPreview: z.string().nullable(),
      result: resultSchema.nullable(),
    }),
  ),
});
export type SessionsOutput = z.infer<typeof sessionsOutput>;

export const consultOutputSchema = (): object => z.toJSONSchema(consultOutput, { io: "output" });
export const sessionsOutputSchema = (): object => z.toJSONSchema(sessionsOutput, { io: "output" });
