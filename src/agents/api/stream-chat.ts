// Listens to one chat completion, streamed or in one piece.
import type { z } from "zod";
import { fail } from "../../core/contract/index.ts";
import type { TokenUsage } from "../../core/contract/transport/index.ts";
import type { StreamedAnswer, AnswerListener, ToolUse } from "./streamed-answer.ts";
import type { HttpReply } from "./http.ts";
import { inOnePiece } from "./opened.ts";
import { readStream } from "./stream.ts";
import { chatChunk } from "./wire.ts";

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
    return gathered.heard(null);
  }
  const cut = await readStream(reply, chatChunk, (chunk) => gathered.take(chunk));
  return gathered.heard(cut?.cut ?? null);
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
    const said = choice?.delta ?? choice?.message;
    this.#say(said?.content ?? "", said?.refusal ?? "");
    for (const [at, piece] of (said?.tool_calls ?? []).entries()) this.#use(piece, at);
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

  heard(cut: string | null): StreamedAnswer {
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
