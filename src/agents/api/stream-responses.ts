// Listens to one answer of the Responses API as it is streamed.
import { fail } from "../../core/contract/index.ts";
import type { TokenUsage } from "../../core/contract/transport/index.ts";
import { type AnswerListener, type StreamedAnswer, inOnePiece, readStream } from "./stream.ts";
import type { HttpReply } from "./http.ts";
import { modelFailed } from "./failures.ts";
import { type ResponseObject, responseObject, responsesEvent } from "./wire.ts";

type Item = ResponseObject["output"][number];

interface StreamedResponse {
  readonly text: string;
  readonly id: string | null;
  /** The response as it ended; undefined when the stream was cut before. */
  readonly final: ResponseObject | undefined;
  readonly cut: string | null;
}

export async function readEventStream(
  reply: HttpReply,
  listener: AnswerListener & { onId?(id: string): Promise<void> },
): Promise<StreamedResponse> {
  let text = "";
  let id: string | null = null;
  let final: ResponseObject | undefined;
  const items: Item[] = [];
  const cut = await readStream(reply, responsesEvent, async (event) => {
    if (event.type === "error") modelFailed(event.code ?? null, event.message ?? "no message");
    if (event.response && event.response.id !== id) {
      id = event.response.id;
      await listener.onId?.(id);
    }
    if (event.delta !== undefined) listener.onPiece?.(event.delta.length);
    if (event.type === "response.output_text.delta" || event.type === "response.refusal.delta") {
      text += event.delta ?? "";
      listener.onText(text);
    }
    if (event.type === "response.output_item.done" && event.item) items.push(event.item);
    if (/^response\.(completed|incomplete|failed|cancelled)$/.test(event.type)) final = event.response;
  });
  // Some servers send the items one by one and do not repeat them at the end.
  if (final?.output.length === 0) final = { ...final, output: items };
  return { text, id, final, cut: cut?.cut ?? null };
}

export function parseResponse(value: unknown): ResponseObject {
  const parsed = responseObject.safeParse(value);
  return parsed.success
    ? parsed.data
    : fail("provider_unavailable", "The server's answer is not a response of the Responses API.", {
        remedy: "Check the base URL, or use --provider openai-chat.",
      });
}

export function usageOf({ usage }: ResponseObject): TokenUsage | null {
  if (!usage) return null;
  return {
    inputTokens: usage.input_tokens,
    outputTokens: usage.output_tokens,
    reasoningTokens: usage.output_tokens_details?.reasoning_tokens ?? null,
    totalTokens: usage.total_tokens ?? usage.input_tokens + usage.output_tokens,
  };
}

const textOf = (items: readonly Item[], part: "text" | "refusal"): string =>
  items
    .filter((item) => item.type === "message")
    .map((item) => (item.content ?? []).map((one) => one[part] ?? "").join(""))
    .filter((one) => one !== "")
    .join("\n\n");

export async function readResponsesStream(reply: HttpReply, listener: AnswerListener): Promise<StreamedAnswer> {
  const piece = await inOnePiece(reply);
  const { final, cut } = piece
    ? { final: parseResponse(piece.whole), cut: null }
    : await readEventStream(reply, listener);
  if (!final)
    return {
      text: "",
      refusal: "",
      uses: [],
      end: null,
      usage: null,
      model: null,
      cut: cut ?? "no end event",
      turn: [],
    };
  if (final.status === "failed" || final.status === "cancelled")
    return modelFailed(final.error?.code ?? final.status, final.error?.message ?? `it was ${final.status}`);
  const complete = final.status === "completed";
  return {
    text: textOf(final.output, "text"),
    refusal: textOf(final.output, "refusal"),
    uses: final.output.flatMap((item) =>
      item.type === "function_call"
        ? [
            {
              id: String(item["call_id"]),
              name: String(item["name"]),
              input: String(item["arguments"] ?? ""),
            },
          ]
        : [],
    ),
    end: complete ? "completed" : (final.incomplete_details?.reason ?? final.status ?? "unknown"),
    usage: usageOf(final),
    model: final.model ?? null,
    cut: null,
    turn: final.output.flatMap(sentBack),
  };
}

/** Nothing is left at the provider, so items go back without their ids there; thoughts only sealed, with theirs. */
function sentBack(item: Item): Record<string, unknown>[] {
  if (item.type === "function_call")
    return [{ type: item.type, call_id: item["call_id"], name: item["name"], arguments: item["arguments"] }];
  if (item.type === "message") return [{ role: "assistant", content: textOf([item], "text") }];
  const sealed = item["encrypted_content"];
  return item.type === "reasoning" && typeof sealed === "string"
    ? [{ type: item.type, id: item["id"], summary: item["summary"] ?? [], encrypted_content: sealed }]
    : [];
}
