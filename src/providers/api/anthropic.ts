// Anthropic's Messages API, streamed. Stateless: the history is sent along.
import { fail } from "../../contract/index.ts";
import type { Answer, SendHooks, Usage } from "../../contract/transport/index.ts";
import type { ChatOptions } from "./chat.ts";
import { type Line, exchange } from "./exchange.ts";
import { type History, idle } from "./responses.ts";
import { readStream } from "./stream.ts";
import { type AnthropicUsage, anthropicEvent } from "./wire.ts";

/** The API wants a limit; this one is within every current model's. */
const defaultMaxTokens = 32_000;
const finishes = new Set(["end_turn", "stop_sequence"]);

function usageOf(seen: AnthropicUsage): Usage {
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

export async function askAnthropic(
  line: Line,
  options: ChatOptions,
  messages: History,
  hooks: SendHooks,
): Promise<Answer> {
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
  let text = "";
  let model: string | null = null;
  let stop: string | null = null;
  let ended = false;
  let usage: AnthropicUsage | undefined;
  const cut = await readStream(reply, anthropicEvent, (event) => {
    if (event.type === "error")
      fail("provider_unavailable", `The model ended with an error: ${event.error?.message ?? "no message"}`, {
        remedy: "Try again later.",
      });
    if (event.type === "message_stop") ended = true;
    model = event.message?.model ?? model;
    stop = event.delta?.stop_reason ?? stop;
    // The counts of a later event replace those of an earlier one; each event may carry only some of them.
    usage = { ...usage, ...event.message?.usage, ...event.usage };
    if (event.type === "content_block_delta" && event.delta?.type === "text_delta") {
      text += event.delta.text ?? "";
      hooks.onText(text);
    }
  });
  if (text === "" && !ended)
    return fail("provider_unavailable", `The server sent no answer: ${cut?.cut ?? "the stream ended"}.`, {
      remedy: "Try again.",
    });
  const complete = ended && stop !== null && finishes.has(stop);
  return {
    text,
    html: null,
    complete,
    incompleteReason: complete ? null : (stop ?? `stream cut: ${cut?.cut ?? "no end event"}`),
    usage: usage === undefined ? null : usageOf(usage),
    model,
    captureSource: "api",
    snapshots: [],
  };
}
