// The tool `sessions`: list them, show one, end one.
import { z } from "zod";
import { fail } from "../../../core/contract/index.ts";
import type { Transport } from "../../../core/contract/transport/index.ts";
import { resultSchema } from "../../../core/contract/transport/schema/index.ts";

export const sessionsInput = z.strictObject({
  action: z.enum(["list", "show", "cancel"]).default("list"),
  sessionId: z.string().optional().describe("For show and cancel."),
  limit: z.number().int().min(1).max(200).default(20),
});
export type SessionsInput = z.infer<typeof sessionsInput>;

export const sessionsOutput = z.object({
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

export async function sessions(input: SessionsInput, transport: Transport): Promise<SessionsOutput> {
  if (input.action === "list")
    return {
      sessions: (await transport.list()).slice(0, input.limit).map(({ id, view }) => ({
        id,
        status: view?.record.status ?? "unreadable",
        createdAt: view?.record.createdAt ?? null,
        model: view?.record.model ?? null,
        promptPreview: view?.record.promptPreview ?? null,
        result: null,
      })),
    };
  const id = input.sessionId ?? fail("invalid_input", `${input.action} needs a sessionId.`);
  const { record, result } =
    input.action === "cancel" ? await transport.cancel(id) : await transport.view(id);
  const { status, createdAt, model, promptPreview } = record;
  return { sessions: [{ id, status, createdAt, model, promptPreview, result }] };
}
