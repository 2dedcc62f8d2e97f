// Chat completions, the form that every OpenAI-compatible server speaks. Stateless: the history is sent along.
import type { z } from "zod";
import { fail } from "../../core/contract/index.ts";
import type { Answer, SendHooks, TokenUsage } from "../../core/contract/transport/index.ts";
import type { SentTurn } from "./content.ts";
import { type ApiRoute, exchange } from "./exchange.ts";
import { idle } from "./responses.ts";
import { type AnswerListener, type StreamedAnswer, type ToolUse, inOnePiece, readStream } from "./stream.ts";
import type { HttpReply } from "./http.ts";
import { chatChunk } from "./wire.ts";

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
  const all = text + refusal;
  if (all === "" && end === null)
    return fail("provider_unavailable", `The server sent no answer${cut === null ? "" : `: ${cut}`}.`, {
      remedy: "Try again.",
    });
  const complete = end === "stop";
  return {
    text: all,
    html: null,
    complete,
    incompleteReason: complete ? null : (end ?? `stream cut: ${cut ?? "no finish reason"}`),
    usage,
    model,
    captureSource: "api",
    snapshots: [],
  };
};

type Chunk = z.infer<typeof chatChunk>;
type Choice = Chunk["choices"][number];
type Piece = NonNullable<NonNullable<Choice["delta"]>["tool_calls"]>[number];

export async function readChatStream(reply: HttpReply, listener: AnswerListener): Promise<StreamedAnswer> {
  const gathered = new Gathered(listener);
  const piece = await inOnePiece(reply);
  if (piece) {
    const parsed = chatChunk.safeParse(piece.whole);
    if (!parsed.success)
      return fail("provider_unavailable", "The server's answer is not a chat completion.", {
        remedy: "Check that the base URL is that of a compatible API.",
      });
    gathered.take(parsed.data);
    return gathered.result(null);
  }
  const cut = await readStream(reply, chatChunk, (chunk) => gathered.take(chunk));
  return gathered.result(cut?.cut ?? null);
}

class Gathered {
  #text = "";
  #refusal = "";
  #end: string | null = null;
  #model: string | null = null;
  #usage: TokenUsage | null = null;
  readonly #uses = new Map<number, { id: string; name: string; input: string }>();
  readonly #listener: AnswerListener;

  constructor(listener: AnswerListener) {
    this.#listener = listener;
  }

  take(chunk: Chunk): void {
    const choice = chunk.choices.find(({ index }) => (index ?? 0) === 0);
    const delta = choice?.delta ?? choice?.message;
    this.#say(delta?.content ?? "", delta?.refusal ?? "");
    for (const [at, piece] of (delta?.tool_calls ?? []).entries()) this.#use(piece, at);
    this.#end = choice?.finish_reason ?? this.#end;
    this.#model = chunk.model ?? this.#model;
    if (chunk.usage) this.#usage = usageOf(chunk.usage);
  }

  #say(content: string, refusal: string): void {
    if (content === "" && refusal === "") return;
    this.#listener.onPiece?.(content.length + refusal.length);
    this.#text += content;
    this.#refusal += refusal;
    this.#listener.onText(this.#text + this.#refusal);
  }

  #use({ index, id, function: called }: Piece, at: number): void {
    const place = index ?? at;
    const known = this.#uses.get(place) ?? { id: "", name: "", input: "" };
    const input = called?.arguments ?? "";
    this.#listener.onPiece?.(input.length);
    this.#uses.set(place, {
      id: known.id || (id ?? ""),
      name: known.name || (called?.name ?? ""),
      input: known.input + input,
    });
  }

  result(cut: string | null): StreamedAnswer {
    const uses: ToolUse[] = [...this.#uses.entries()].map(([at, use]) => ({
      ...use,
      id: use.id || `call_${at}`,
    }));
    const calls = uses.map(({ id, name, input }) => ({
      id,
      type: "function",
      function: { name, arguments: input },
    }));
    return {
      text: this.#text,
      refusal: this.#refusal,
      uses,
      end: this.#end,
      usage: this.#usage,
      model: this.#model,
      cut,
      turn: {
        role: "assistant",
        content: this.#text,
        ...(calls.length === 0 ? {} : { tool_calls: calls }),
      },
    };
  }
}

const usageOf = (usage: NonNullable<Chunk["usage"]>): TokenUsage => ({
  inputTokens: usage.prompt_tokens,
  outputTokens: usage.completion_tokens,
  reasoningTokens: usage.completion_tokens_details?.reasoning_tokens ?? null,
  totalTokens: usage.total_tokens ?? usage.prompt_tokens + usage.completion_tokens,
  ...(usage.cost === undefined ? {} : { costUsd: usage.cost }),
});
