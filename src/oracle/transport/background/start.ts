// Hands a run to a process of its own. The request travels through a pipe: a prompt's secrets never touch the disk.
import { closeSync, openSync } from "node:fs";
import { z } from "zod";
import { fail } from "../../../core/contract/index.ts";
import type { ConversationRef, RunRequest } from "../../../core/contract/transport/index.ts";
import { conversationRefSchema, requestSchema } from "../../../core/contract/transport/schema/index.ts";
import { errorResult } from "../../../core/contract/transport/index.ts";
import { writeJson } from "../sessions/atomic-file.ts";
import type { LiveRecord } from "../sessions/record.ts";

export const payloadSchema = z.object({
  request: requestSchema,
  resume: conversationRefSchema.nullable(),
  warnings: z.array(z.string()),
});

export interface Payload {
  readonly request: RunRequest;
  readonly resume: ConversationRef | null;
  readonly warnings: readonly string[];
}

/** Starts `oracle` anew for this session, in a process group and terminal session of its own, with its output in
 * the given file. `ready` resolves when it has taken the session over, and rejects when it ended before that. */
export type SpawnRunner = (start: {
  readonly sessionId: string;
  readonly payload: string;
  readonly output: number;
}) => { readonly ready: Promise<void> };

export async function startDetachedSession(
  live: LiveRecord,
  payload: Payload,
  spawn: SpawnRunner,
): Promise<void> {
  const output = openSync(live.folder.log, "a", 0o600);
  try {
    await spawn({ sessionId: live.folder.id, payload: JSON.stringify(payload), output }).ready;
  } catch (cause) {
    const message = `The run could not be started: ${cause instanceof Error ? cause.message : String(cause)}.`;
    const error = { code: "interrupted", message, remedy: `See ${live.folder.log}` };
    writeJson(
      live.folder.result,
      errorResult(error, { sessionId: live.folder.id, engine: payload.request.engine }),
    );
    live.update({ status: "error", error });
    fail("interrupted", message, { remedy: error.remedy });
  } finally {
    closeSync(output);
  }
}
