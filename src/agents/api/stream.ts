// Reads an event stream as typed events, and distinguishes a cut stream from one that ended.
import type { z } from "zod";
import { fail } from "../../core/contract/index.ts";
import { EventTooLong, serverEvents } from "../../platform/http/index.ts";
import { errorIn, modelFailed } from "./failures.ts";
import { type HttpReply, HttpFailure } from "./http.ts";
import type { TokenUsage } from "../../core/contract/transport/index.ts";
import { readJsonBody } from "./exchange.ts";

/** The whole answer where it came in one piece; undefined where it is a stream, which is not read yet. */
export async function inOnePiece(reply: HttpReply): Promise<{ readonly whole: unknown } | undefined> {
  const type = (reply.header("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (type === "text/html" || type === "application/xhtml+xml")
    return fail(
      "provider_unavailable",
      "The server answered with a web page (text/html), not with an answer of the API.",
      {
        remedy: "Check the base URL; a portal or a proxy may stand before the API.",
      },
    );
  if (!/^application\/(?:[\w.+-]+\+)?json$/.test(type)) return undefined;
  const whole = await readJsonBody(reply);
  const error = errorIn(whole);
  if (error) modelFailed(error.code, error.message);
  return { whole };
}

/** A tool that the model wants used; `input` is JSON as it came. */
export interface ToolUse {
  readonly id: string;
  readonly name: string;
  readonly input: string;
}

export interface StreamedAnswer {
  readonly text: string;
  /** The text of a refusal, where the API has a field for it. */
  readonly refusal: string;
  readonly uses: readonly ToolUse[];
  /** The server's own stop reason; null when missing. */
  readonly end: string | null;
  readonly usage: TokenUsage | null;
  readonly model: string | null;
  /** Why the stream broke off, when it did. */
  readonly cut: string | null;
  /** The turn in the server's own form, to be sent back with what follows it. */
  readonly turn: unknown;
}

export interface AnswerListener {
  /** The text so far, whole. */
  onText(textSoFar: string): void;
  /** Called for every piece of anything the model produced; may throw to stop listening. */
  onPiece?(characters: number): void;
}

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
  const error = errorIn(value);
  if (error) modelFailed(error.code, error.message);
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  return fail(
    "provider_unavailable",
    `The server sent an event of an unknown form: ${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}`.trim(),
    { remedy: "Check that the base URL is that of a compatible API." },
  );
}
