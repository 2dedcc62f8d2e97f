// Chat completions, the form that every OpenAI-compatible server speaks. Stateless: the history is sent along.
import { fail } from "../../core/contract/index.ts";
import type { Answer, SendHooks } from "../../core/contract/transport/index.ts";
import type { SentTurn } from "./content.ts";
import { type ApiRoute, exchange } from "./exchange.ts";
import { readChatStream } from "./stream-chat.ts";
import { idle } from "./responses.ts";

interface ChatOptions {
  readonly model: string;
  readonly reasoningEffort: string | null;
  readonly maxOutputTokens: number | null;
}

/** Asks one question of a server that keeps nothing. */
export type AskStateless = (
  line: ApiRoute,
  options: ChatOptions,
  messages: readonly SentTurn[],
  hooks: SendHooks,
) => Promise<Answer>;

export const askChat: AskStateless = async (line, options, messages, hooks) => {
  const reply = await exchange(line, {
    method: "POST",
    path: "/chat/completions",
    body: {
      model: options.model,
      messages,
      stream: true,
      stream_options: { include_usage: true },
      ...(options.reasoningEffort === null ? {} : { reasoning_effort: options.reasoningEffort }),
      ...(options.maxOutputTokens === null ? {} : { max_tokens: options.maxOutputTokens }),
    },
    signal: hooks.signal,
    idleMs: idle.stream,
    log: hooks.log,
  });
  const { text, refusal, end, usage, model, cut } = await readChatStream(reply, hooks);
  const said = text + refusal;
  if (said === "" && end === null)
    return fail("provider_unavailable", `The server sent no answer${cut === null ? "" : `: ${cut}`}.`, {
      remedy: "Try again.",
    });
  const complete = end === "stop";
  return {
    text: said,
    html: null,
    complete,
    incompleteReason: complete ? null : (end ?? `stream cut: ${cut ?? "no finish reason"}`),
    usage,
    model,
    captureSource: "api",
    snapshots: [],
  };
};
