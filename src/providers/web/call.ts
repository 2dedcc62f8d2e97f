// One call of a page: opened, bounded by its deadline and the signal, closed, and ended in exactly one outcome.
import {
  type AbortSignalLike,
  FailureError,
  type PendingCall,
  type ProviderAnswer,
  type ProviderCall,
  ackField,
} from "../../contract/index.ts";
import type { Answer, Conversation, Engine, EngineOpening } from "../../contract/transport/index.ts";
import { diffIn } from "../diff.ts";
import { systemWords } from "../words.ts";

interface PageCall {
  readonly id: string;
  readonly engine: Engine;
  readonly opening: EngineOpening;
  readonly call: ProviderCall;
  readonly signal: AbortSignalLike;
}

/** A page remembers: what it was told before, here or in another chat, must not leak into this answer (S-11). */
const freshWords = `Ignore everything said before in this conversation, in other conversations and in your memory. Only the directive below counts, and your answer must repeat its marker in ${ackField}.`;

/** A page that no longer listens is left to itself after this long. */
const closeMs = 5_000;

/** Rejects while nothing has been typed; from then on the answer tells what happened. */
export async function sendToPage(page: PageCall): Promise<PendingCall> {
  await page.engine.check(page.opening);
  const conversation = await page.engine.open(page.opening, { signal: page.signal, log: () => undefined });
  return { answer: converse(page, conversation) };
}

type Ended = "timed_out" | "aborted";

async function converse(page: PageCall, conversation: Conversation): Promise<ProviderAnswer> {
  const { call, signal } = page;
  const began = performance.now();
  const stop = new AbortController();
  let end: (how: Ended) => void = () => undefined;
  const ended = new Promise<Ended>((resolve) => {
    end = resolve;
  });
  const onAbort = () => end("aborted");
  const timer = setTimeout(() => end("timed_out"), call.timeoutMs);
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) end("aborted");
  const spoken = ask(conversation, call, stop.signal).then(
    (answer) => heard(page, answer),
    (error: unknown) => broken(page, error),
  );
  const result = await Promise.race([spoken, ended]);
  clearTimeout(timer);
  signal.removeEventListener("abort", onAbort);
  stop.abort();
  await closed(conversation);
  const outcome = typeof result === "string" ? stopped(page, result) : result;
  return { ...outcome, durationMs: Math.round(performance.now() - began) };
}

function ask(conversation: Conversation, call: ProviderCall, signal: AbortSignal): Promise<Answer> {
  const prompt = [freshWords, systemWords(call, null), call.prompt].join("\n\n");
  const hooks = {
    signal,
    onText: () => undefined,
    onRef: () => Promise.resolve(),
    log: () => undefined,
  };
  return conversation.send({ prompt, attachments: [] }, hooks);
}

type Told = Omit<ProviderAnswer, "durationMs">;

function heard({ id, call }: PageCall, answer: Answer): Told {
  const { text, complete, incompleteReason } = answer;
  if (Buffer.byteLength(text) > call.maxAnswerBytes)
    return { outcome: "oversize", text: "", error: `the answer is over ${call.maxAnswerBytes} bytes` };
  // Part of an answer is none.
  if (!complete)
    return { outcome: "failed", text: "", error: `${id} did not finish: ${incompleteReason ?? "no reason"}` };
  if (call.role !== "implementer") return { outcome: "answered", text };
  const found = diffIn(text, call);
  if (found.kind === "unusable") return { outcome: "failed", text: "", error: `${id}: ${found.why}` };
  return { outcome: "answered", text, ...(found.kind === "patch" ? { patch: found.patch } : {}) };
}

function broken({ id }: PageCall, error: unknown): Told {
  const why = error instanceof FailureError ? error.failure.message : String(error);
  return { outcome: "failed", text: "", error: `${id}: ${why}` };
}

function stopped({ id, call }: PageCall, how: Ended): Told {
  const error =
    how === "aborted" ? `the call of ${id} was stopped` : `${id} gave no answer within ${call.timeoutMs} ms`;
  return { outcome: how, text: "", error };
}

async function closed(conversation: Conversation): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, closeMs);
  });
  const done = conversation.close().then(
    () => undefined,
    // The page is gone already; what it had to say is told.
    () => undefined,
  );
  await Promise.race([done, late]);
  clearTimeout(timer);
}
