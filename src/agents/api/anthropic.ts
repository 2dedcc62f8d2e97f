// Anthropic's Messages API, streamed. Stateless: the history is sent along.
import { fail } from "../../core/contract/index.ts";
import type { AskStateless } from "./chat.ts";
import { exchange } from "./exchange.ts";
import { readAnthropicStream } from "./stream-anthropic.ts";
import { idle } from "./responses.ts";

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
