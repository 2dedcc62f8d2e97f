// Chat completions, the form that every OpenAI-compatible server speaks. Stateless: the history is sent along.
import { fail } from "../../contract/index.ts";
import type { Answer, SendHooks, Usage } from "../../contract/transport/index.ts";
import { type Line, exchange, readJson } from "./exchange.ts";
import { type History, idle } from "./responses.ts";
import { readStream } from "./stream.ts";
import type { z } from "zod";
import { chatChunk } from "./wire.ts";

export interface ChatOptions {
  readonly model: string;
  readonly reasoningEffort: string | null;
  readonly maxOutputTokens: number | null;
}

type Chunk = z.infer<typeof chatChunk>;

export async function askChat(
  line: Line,
  options: ChatOptions,
  messages: History,
  hooks: SendHooks,
): Promise<Answer> {
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
  const so = new Gathered(hooks);
  // Some servers ignore `stream` and answer in one piece.
  if (reply.header("content-type")?.startsWith("application/json") === true) {
    const parsed = chatChunk.safeParse(await readJson(reply));
    if (!parsed.success) return fail("provider_unavailable", "The server's answer is not a chat completion.");
    so.take(parsed.data);
    return so.answer(undefined);
  }
  const cut = await readStream(reply, chatChunk, (chunk) => so.take(chunk));
  return so.answer(cut?.cut);
}

class Gathered {
  #text = "";
  #finish: string | null = null;
  #model: string | null = null;
  #usage: Usage | null = null;
  readonly #hooks: SendHooks;

  constructor(hooks: SendHooks) {
    this.#hooks = hooks;
  }

  take(chunk: Chunk): void {
    if (chunk.error)
      fail("provider_unavailable", `The model ended with an error: ${chunk.error.message ?? "no message"}`);
    const choice = chunk.choices.find(({ index }) => (index ?? 0) === 0);
    const said = choice?.delta ?? choice?.message;
    const piece = said?.content ?? said?.refusal ?? "";
    if (piece !== "") {
      this.#text += piece;
      this.#hooks.onText(this.#text);
    }
    this.#finish = choice?.finish_reason ?? this.#finish;
    this.#model = chunk.model ?? this.#model;
    if (chunk.usage)
      this.#usage = {
        inputTokens: chunk.usage.prompt_tokens,
        outputTokens: chunk.usage.completion_tokens,
        reasoningTokens: chunk.usage.completion_tokens_details?.reasoning_tokens ?? null,
        totalTokens: chunk.usage.total_tokens ?? chunk.usage.prompt_tokens + chunk.usage.completion_tokens,
      };
  }

  answer(cut: string | undefined): Answer {
    if (this.#text === "" && this.#finish === null)
      return fail("provider_unavailable", `The server sent no answer${cut ? `: ${cut}` : ""}.`, {
        remedy: "Try again.",
      });
    const complete = this.#finish === "stop";
    return {
      text: this.#text,
      html: null,
      complete,
      incompleteReason: complete ? null : (this.#finish ?? `stream cut: ${cut ?? "no finish reason"}`),
      usage: this.#usage,
      model: this.#model,
      captureSource: "api",
      snapshots: [],
    };
  }
}
