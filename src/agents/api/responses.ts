// OpenAI's Responses API: streamed, or in the background with polling, so that a long answer survives a crash (T-32).
import { fail } from "../../core/contract/index.ts";
import { type Answer, type ConversationRef, type SendHooks, plainAnswer } from "../../core/contract/transport/index.ts";
import type { SentTurn } from "./content.ts";
import { type ApiRoute, exchange, pauseOrStop, readJsonBody } from "./exchange.ts";
import { isTemporary, modelFailed, readRefusal, withoutKey } from "./failures.ts";
import type { HttpReply } from "./http.ts";
import { parseResponse, readEventStream, usageOf } from "./stream-responses.ts";
import { inOnePiece } from "./stream.ts";
import type { ResponseObject } from "./wire.ts";

interface ResponsesOptions {
  readonly model: string;
  readonly background: boolean;
  readonly reasoningEffort: string | null;
  readonly maxOutputTokens: number | null;
  readonly search: boolean;
}

export const idle = { stream: 15 * 60_000, poll: 60_000 } as const;
const poll = { first: 1_000, longest: 10_000 } as const;
/** How often a stream is retried that was cut before its first text. */
const restarts = 2;

interface ResponsesTurn {
  readonly line: ApiRoute;
  readonly options: ResponsesOptions;
  readonly history: readonly SentTurn[];
  readonly previousId: string | null;
  readonly content: SentTurn["content"];
  readonly hooks: SendHooks;
}

interface ResponsesAnswer {
  readonly answer: Answer;
  readonly id: string | null;
}

const refOf = (line: ApiRoute, id: string, background: boolean): ConversationRef => ({
  provider: "openai",
  baseUrl: line.baseUrl,
  responseId: id,
  background,
});

function bodyOf(turn: ResponsesTurn): Record<string, unknown> {
  const { options, content, history, previousId } = turn;
  return {
    model: options.model,
    // A response that the provider keeps leads to its own earlier turns; any other needs them sent along.
    input:
      options.background && (previousId !== null || history.length === 0)
        ? typeof content === "string"
          ? content
          : [{ role: "user", content }]
        : [...history, { role: "user", content }],
    // Only a response that may have to be picked up again is kept at the provider.
    store: options.background,
    ...(options.background ? { background: true } : { stream: true }),
    ...(options.background && previousId !== null ? { previous_response_id: previousId } : {}),
    ...(options.reasoningEffort === null ? {} : { reasoning: { effort: options.reasoningEffort } }),
    ...(options.search ? { tools: [{ type: "web_search" }] } : {}),
    ...(options.maxOutputTokens === null ? {} : { max_output_tokens: options.maxOutputTokens }),
  };
}

/** The statuses of a server that does not know the endpoint, and of one that does not take the request as it is. */
const absent = [404, 405, 501];
const refusing = [400, 422];

interface Ways {
  /** Another form can be used where the server has no such endpoint (an older imitation of the API). */
  readonly otherForm: boolean;
  /** The request has parts that nobody asked for. */
  readonly less: boolean;
}

export async function askResponses(turn: ResponsesTurn, ways: Ways): Promise<ResponsesAnswer | "absent" | "refused"> {
  const { line, hooks, options } = turn;
  for (let restart = 0; ; restart += 1) {
    const reply = await exchange(line, {
      method: "POST",
      path: "/responses",
      body: bodyOf(turn),
      signal: hooks.signal,
      idleMs: idle.stream,
      log: hooks.log,
      accept: [...(ways.otherForm ? absent : []), ...(ways.less ? refusing : [])],
    });
    if (reply.status >= 400) {
      const body = withoutKey(await reply.text(4096), line.key);
      if (readRefusal(reply.status, body).code === "model_not_found")
        return fail("invalid_input", `The server does not know the model ${options.model}: ${body.slice(0, 300)}`, {
          remedy: "Choose another model with --model.",
        });
      return absent.includes(reply.status) ? "absent" : "refused";
    }
    if (options.background) return await begun(turn, parseResponse(await readJsonBody(reply)));
    const streamed = await readReply(reply, turn);
    if ("answer" in streamed) return streamed;
    if (restart === restarts)
      return fail("provider_unavailable", `The answer's stream was cut before its first word: ${streamed.cut}.`, {
        remedy: "Try again, or use --background, which does not need the connection to last.",
      });
    hooks.log(`the stream was cut before its first word (${streamed.cut}); asking again`);
  }
}

/** Some gateways do not stream: the answer comes in one piece. Anything else is not this API. */
async function readReply(reply: HttpReply, turn: ResponsesTurn): Promise<ResponsesAnswer | { cut: string }> {
  const piece = await inOnePiece(reply);
  if (piece) {
    const whole = parseResponse(piece.whole);
    return { answer: finished(whole, ""), id: whole.id };
  }
  return readAnswer(reply, turn);
}

async function readAnswer(reply: HttpReply, turn: ResponsesTurn): Promise<ResponsesAnswer | { cut: string }> {
  const { line, hooks } = turn;
  const { text, id, final, cut } = await readEventStream(reply, {
    onText: (soFar) => hooks.onText(soFar),
    onId: (found) => hooks.onRef(refOf(line, found, false)),
  });
  if (final !== undefined) return { answer: finished(final, text), id };
  if (text === "") return { cut: cut ?? "it ended without an answer" };
  return {
    id,
    answer: {
      ...plainAnswer(text, "api"),
      complete: false,
      incompleteReason: `stream cut: ${cut ?? "no end event"}`,
    },
  };
}

/** The id is on disk before the first wait: from here on a crash loses nothing. */
async function begun(turn: ResponsesTurn, created: ResponseObject): Promise<ResponsesAnswer> {
  await turn.hooks.onRef(refOf(turn.line, created.id, true));
  return { answer: await awaitResponse(turn.line, created.id, turn.hooks, created), id: created.id };
}

const waiting = new Set(["queued", "in_progress"]);

export async function awaitResponse(
  line: ApiRoute,
  id: string,
  hooks: SendHooks,
  known?: ResponseObject,
): Promise<Answer> {
  let current = known;
  for (let pause: number = poll.first; ; pause = Math.min(poll.longest, pause * 1.5)) {
    if (current && !waiting.has(current.status ?? "queued")) return finished(current, "");
    if (current) {
      hooks.log(`response ${id} is ${current.status ?? "queued"}`);
      await pauseOrStop(line, pause, hooks.signal);
    }
    current = (await look(line, id, hooks)) ?? current ?? { id, status: "queued", output: [] };
  }
}

/** The answer is safe at the server: a network that is away for a while ends nothing. The run's own time does. */
async function look(line: ApiRoute, id: string, hooks: SendHooks): Promise<ResponseObject | undefined> {
  try {
    const reply = await exchange(line, {
      method: "GET",
      path: `/responses/${encodeURIComponent(id)}`,
      signal: hooks.signal,
      idleMs: idle.poll,
      log: hooks.log,
    });
    return parseResponse(await readJsonBody(reply));
  } catch (error) {
    if (!isTemporary(error)) throw error;
    hooks.log(`cannot ask for response ${id} right now; going on`);
    return undefined;
  }
}

/** Cancels an answer at the server. */
export async function cancelResponse(line: ApiRoute, id: string, hooks: SendHooks): Promise<void> {
  const reply = await exchange(line, {
    method: "POST",
    path: `/responses/${encodeURIComponent(id)}/cancel`,
    body: {},
    signal: hooks.signal,
    idleMs: 10_000,
    log: hooks.log,
    accept: [400, 404, 409],
  });
  await reply.text(4096);
}

function textOf(response: ResponseObject): string {
  return response.output
    .filter((item) => item.type === "message")
    .map((item) => (item.content ?? []).map((part) => part.text ?? part.refusal ?? "").join(""))
    .join("\n\n");
}

function finished(response: ResponseObject, streamed: string): Answer {
  if (response.status === "failed" || response.status === "cancelled")
    return modelFailed(response.error?.code ?? response.status, response.error?.message ?? `it was ${response.status}`);
  const complete = response.status === "completed";
  return {
    ...plainAnswer(textOf(response) || streamed, "api"),
    complete,
    incompleteReason: complete ? null : (response.incomplete_details?.reason ?? response.status ?? "unknown"),
    usage: usageOf(response),
    model: response.model ?? null,
  };
}
