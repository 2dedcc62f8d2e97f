// Reads an event stream as typed events, and tells a stream that was cut from one that ended.
import type { z } from "zod";
import { fail } from "../../core/contract/index.ts";
import { EventTooLong, serverEvents } from "../../platform/http/index.ts";
import { errorIn, modelFailed } from "./failures.ts";
import { HttpFailure, type HttpReply } from "./http.ts";

/** A cut is data: whether to ask again depends on what had come before it. */
type Cut = { readonly cut: string };

export async function readStream<T>(
  reply: HttpReply,
  schema: z.ZodType<T>,
  each: (event: T) => Promise<void> | void,
): Promise<Cut | undefined> {
  try {
    for await (const { data } of serverEvents(reply.body)) {
      if (data === "[DONE]") return undefined;
      await each(parse(data, schema));
    }
    return undefined;
  } catch (error) {
    if (error instanceof EventTooLong) return { cut: error.message };
    if (!(error instanceof HttpFailure)) throw error;
    if (error.kind === "aborted") return fail("interrupted", "The request was stopped.");
    return { cut: error.message };
  }
}

function parse<T>(data: string, schema: z.ZodType<T>): T {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    return fail("provider_unavailable", `The server sent an event that is not JSON: ${data.slice(0, 200)}`, {
      remedy: "Check that the base URL is that of a compatible API; a proxy may stand before it.",
    });
  }
  const told = errorIn(value);
  if (told) modelFailed(told.code, told.message);
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  return fail(
    "provider_unavailable",
    `The server sent an event of an unknown form: ${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}`.trim(),
    { remedy: "Check that the base URL is that of a compatible API." },
  );
}
