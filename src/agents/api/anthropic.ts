// Anthropic's Messages API, streamed. Stateless: the history is sent along.
import type { z } from "zod";
import { fail, parseJson } from "../../core/contract/index.ts";
import type { AskStateless } from "./chat.ts";
import { exchange } from "./exchange.ts";
import { idle } from "./responses.ts";
import type { TokenUsage } from "../../core/contract/transport/index.ts";
import { type AnswerListener, type StreamedAnswer, inOnePiece, readStream } from "./stream.ts";
import type { HttpReply } from "./http.ts";
import { modelFailed } from "./failures.ts";
import { type AnthropicUsage, anthropicEvent, anthropicMessage } from "./wire.ts";

/** The API wants a limit; this one is within every current model's. */
export const defaultMaxTokens = 32_000;
const finishes = new Set(["end_turn", "stop_sequence"]);

export const askAnthropic: AskStateless = async (line, options, messages, hooks) => {
  const reply = await exchange(line, {
    method: "POST",
    path: "/v1/messages",
    body: {
      model: options.model,
      max_tokens: options.maxOutputTokens ?? defaultMaxTokens,
      messages,
      stream: true,
      ...(options.reasoningEffort === null ? {} : { output_config: { effort: options.reasoningEffort } }),
    },
    signal: hooks.signal,
    idleMs: idle.stream,
    log: hooks.log,
  });
  const { text, end, usage, model, cut } = await readAnthropicStream(reply, hooks);
  if (text === "" && cut !== null)
    return fail("provider_unavailable", `The server sent no answer: ${cut}.`, { remedy: "Try again." });
  const complete = cut === null && end !== null && finishes.has(end);
  return {
    text,
    html: null,
    complete,
    incompleteReason: complete ? null : (end ?? `stream cut: ${cut ?? "no end event"}`),
    usage,
    model,
    captureSource: "api",
    snapshots: [],
  };
};

type Event = z.infer<typeof anthropicEvent>;

/** A block as it grows: what it began as, and what came after. */
interface Block {
  readonly begun: Readonly<Record<string, unknown>>;
  text: string;
  json: string;
  thinking: string;
  signature: string;
}

function usageOf(seen: AnthropicUsage): TokenUsage {
  const input =
    (seen.input_tokens ?? 0) + (seen.cache_creation_input_tokens ?? 0) + (seen.cache_read_input_tokens ?? 0);
  const output = seen.output_tokens ?? 0;
  return {
    inputTokens: input,
    outputTokens: output,
    reasoningTokens: seen.output_tokens_details?.thinking_tokens ?? null,
    totalTokens: input + output,
  };
}

export async function readAnthropicStream(reply: HttpReply, listener: AnswerListener): Promise<StreamedAnswer> {
  const gathered = new Gathered(listener);
  const piece = await inOnePiece(reply);
  if (piece) {
    gathered.takeWhole(piece.whole);
    return gathered.result(null);
  }
  const cut = await readStream(reply, anthropicEvent, (event) => gathered.take(event));
  return gathered.result(cut?.cut ?? null);
}

class Gathered {
  readonly #blocks: Block[] = [];
  readonly #listener: AnswerListener;
  #text = "";
  #model: string | null = null;
  #stop: string | null = null;
  #ended = false;
  #usage: AnthropicUsage | undefined;

  constructor(listener: AnswerListener) {
    this.#listener = listener;
  }

  takeWhole(value: unknown): void {
    const parsed = anthropicMessage.safeParse(value);
    if (!parsed.success)
      return fail("provider_unavailable", "The server's answer is not a message of the Messages API.", {
        remedy: "Check that the base URL is that of a compatible API.",
      });
    const { content, model, stop_reason: stop, usage } = parsed.data;
    for (const [at, block] of content.entries()) {
      this.#begin(at, block);
      const { text, thinking, signature, input } = block;
      const json = block.type === "tool_use" ? JSON.stringify(input ?? {}) : "";
      this.#grow(at, { text, thinking, signature, partial_json: json });
    }
    this.#model = model ?? null;
    this.#stop = stop ?? null;
    this.#usage = usage;
    this.#ended = true;
  }

  take(event: Event): void {
    if (event.type === "error") modelFailed(null, "no message");
    if (event.type === "message_stop") this.#ended = true;
    this.#model = event.message?.model ?? this.#model;
    this.#stop = event.delta?.stop_reason ?? this.#stop;
    // The counts of a later event replace those of an earlier one; each event may carry only some of them.
    this.#usage = { ...this.#usage, ...event.message?.usage, ...event.usage };
    const at = event.index ?? Math.max(0, this.#blocks.length - 1);
    if (event.type === "content_block_start" && event.content_block) this.#begin(at, event.content_block);
    if (event.type === "content_block_delta" && event.delta) this.#grow(at, event.delta);
  }

  #begin(at: number, begun: Readonly<Record<string, unknown>>): void {
    this.#blocks[at] = { begun, text: "", json: "", thinking: "", signature: "" };
  }

  #grow(at: number, delta: NonNullable<Event["delta"]>): void {
    const block = (this.#blocks[at] ??= {
      begun: { type: "text" },
      text: "",
      json: "",
      thinking: "",
      signature: "",
    });
    const { text = "", partial_json: json = "", thinking = "", signature = "" } = delta;
    this.#listener.onPiece?.(text.length + json.length + thinking.length);
    block.text += text;
    block.json += json;
    block.thinking += thinking;
    block.signature += signature;
    if (text === "") return;
    this.#text += text;
    this.#listener.onText(this.#text);
  }

  result(cut: string | null): StreamedAnswer {
    const blocks = this.#blocks.filter((block) => block !== undefined);
    const uses = blocks.flatMap(({ begun, json }) =>
      begun["type"] === "tool_use"
        ? [
            {
              id: String(begun["id"] ?? ""),
              name: String(begun["name"] ?? ""),
              input: json === "" ? "{}" : json,
            },
          ]
        : [],
    );
    return {
      text: this.#text,
      refusal: "",
      uses,
      end: this.#ended ? this.#stop : null,
      usage: this.#usage === undefined ? null : usageOf(this.#usage),
      model: this.#model,
      cut: this.#ended ? null : (cut ?? "no end event"),
      turn: { role: "assistant", content: sayable(blocks.map(contentOf)) },
    };
  }
}

/** The block as it must be sent back: thinking with its signature, or the server refuses the tool results after it. */
function contentOf({ begun, text, json, thinking, signature }: Block): Record<string, unknown> {
  switch (begun["type"]) {
    case "text":
      return { type: "text", text };
    case "tool_use":
      return { ...begun, input: parsed(json) };
    case "thinking":
      return { ...begun, thinking, signature };
    default:
      return { ...begun };
  }
}

/** The server takes back neither an empty text nor an empty turn. */
function sayable(content: readonly Record<string, unknown>[]): readonly Record<string, unknown>[] {
  const full = content.filter(({ type, text }) => type !== "text" || text !== "");
  return full.length > 0 ? full : [{ type: "text", text: "(nothing was said)" }];
}

const parsed = (json: string): unknown => parseJson(json === "" ? "{}" : json) ?? {};
