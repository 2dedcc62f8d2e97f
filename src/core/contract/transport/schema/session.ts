// session.json: the request of a run, the process that runs it, and its state (T-8).
import { z } from "zod";
import { engines, sessionStatuses } from "../text.ts";
import { storedRequestSchema } from "./request.ts";
import { madeSchema, runErrorSchema, usageSchema } from "./result.ts";

/** A process by pid, start time and host, so that a reused pid is not mistaken for it. */
const processOwnerSchema = z.object({
  pid: z.number().int().positive(),
  startedAt: z.string(),
  host: z.string(),
});

export const conversationRefSchema = z.object({
  provider: z.string(),
  baseUrl: z.string().optional(),
  responseId: z.string().optional(),
  background: z.boolean().optional(),
  url: z.string().optional(),
  stage: z.enum(["sending", "sent"]).optional(),
  promptHash: z.string().optional(),
  key: z.string().optional(),
  turn: z.number().int().positive().optional(),
});

export const sessionSchema = z.object({
  schemaVersion: z.literal(1),
  id: z.string().regex(/^[\p{L}\p{N}]+(-[\p{L}\p{N}]+)*$/u),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  startedAt: z.iso.datetime().nullable(),
  endedAt: z.iso.datetime().nullable(),
  status: z.enum(sessionStatuses),
  promptPreview: z.string(),
  model: z.string(),
  cwd: z.string(),
  mode: z.enum(engines),
  options: storedRequestSchema,
  usage: usageSchema.nullable(),
  process: processOwnerSchema.nullable(),
  heartbeatAt: z.iso.datetime().nullable(),
  /** The current step of the run, as a code. */
  stage: z.string(),
  conversation: conversationRefSchema.nullable(),
  restartedFrom: z.string().nullable(),
  /** Files that are removed when the run ends. */
  temporary: z.array(z.string()),
  error: runErrorSchema.nullable(),
  /** The finished steps, for the result of a run whose process dies. */
  made: madeSchema.nullable().default(null),
});
export type SessionRecord = z.infer<typeof sessionSchema>;
