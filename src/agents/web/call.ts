// One call of a page: opened, bounded by its deadline and the signal, closed, and ended in exactly one outcome.
import {
  type PendingCall,
  type ProviderAnswer,
  type ProviderCall,
  FailureError,
  ackField,
} from "../../core/contract/index.ts";
import type {
  Answer,
  Conversation,
  ConversationRef,
  EngineOpening,
  SendHooks,
  TransportEngine,
} from "../../core/contract/transport/index.ts";
import { diffIn, systemPrompt } from "../answer.ts";
import { type PageMemory, handleOf } from "./conversations.ts";

interface PageCall {
  readonly id: string;
  readonly engine: TransportEngine;
  readonly opening: EngineOpening;
  readonly call: ProviderCall;
  readonly signal: AbortSignal;
  readonly memory: PageMemory;
}

/** One conversation for each role of a run: a verifier never reads over the shoulder of a worker. */
const threadOf = ({ id, call }: PageCall) => `run-${call.runId}-${call.role}-${id}`;

/** A page remembers: earlier text, here or in another chat, must not leak into this answer (S-11). */
const isolationPrompt = `Ignore everything said before in this conversation, in other conversations and in your memory. Only the directive below counts, and your answer must repeat its marker in ${ackField}.`;

/** A page that no longer listens is left to itself after this long. */
const closeMs = 5_000;

/** Rejects while nothing has been typed; after that every outcome is an answer. */
export async function sendToPage(page: PageCall): Promise<PendingCall> {
  await page.engine.check(page.opening);
  const conversation = await openThread(page);
  const prompt = [isolationPrompt, systemPrompt(page.call, null), page.call.prompt].join("\n\n");
  return {
    answer: converse(page, conversation, (hooks) => conversation.send({ prompt, attachments: [] }, hooks)),
  };
}

/** The answer to a call that an earlier process sent; undefined when nothing is known of it. Never sends. */
export async function reattachToPage(page: PageCall, handle: string): Promise<PendingCall | undefined> {
  const ref = page.memory.recall(handle);
  if (ref?.stage === undefined) return undefined;
  await page.engine.check(page.opening);
  const conversation = await page.engine.open(at(page, { key: ref.key ?? handle, reattach: true }), {
    signal: page.signal,
    log: () => undefined,
  });
  if (conversation.resume === undefined) {
    await closed(conversation);
    return undefined;
  }
  const resumed = conversation.resume.bind(conversation);
  return { answer: converse(page, conversation, (hooks) => resumed(ref, hooks)) };
}

type BrowserPart = NonNullable<EngineOpening["browser"]>;

const at = ({ opening }: PageCall, more: Partial<BrowserPart>): EngineOpening => ({
  ...opening,
  browser: opening.browser && { ...opening.browser, ...more },
});

/** Goes on in the conversation of the run; one that cannot be opened any more is begun anew. Nothing is typed yet. */
async function openThread(page: PageCall): Promise<Conversation> {
  const hooks = { signal: page.signal, log: () => undefined };
  const key = handleOf(page.call);
  const thread = threadOf(page);
  const url = page.memory.recall(thread)?.url;
  if (url === undefined) return await page.engine.open(at(page, { key }), hooks);
  try {
    return await page.engine.open(at(page, { key, url }), hooks);
  } catch (error) {
    if (!(error instanceof FailureError) || error.failure.code !== "page_changed") throw error;
    page.memory.forget(thread);
    return await page.engine.open(at(page, { key }), hooks);
  }
}

/** Each place is on disk before the next step: a crash finds the conversation, never a reason to send again. */
function keepPlace(page: PageCall, ref: ConversationRef): void {
  page.memory.keep(handleOf(page.call), ref);
  if (ref.stage === "sent" && ref.url !== undefined)
    page.memory.keep(threadOf(page), { provider: ref.provider, url: ref.url });
}

/** A longer answer that still grows is not shown. */
const mostWords = 8_192;

type Ended = "timed_out" | "aborted";

async function converse(
  page: PageCall,
  conversation: Conversation,
  say: (hooks: SendHooks) => Promise<Answer>,
): Promise<ProviderAnswer> {
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
  const hooks: SendHooks = {
    signal: stop.signal,
    onText: (soFar) => call.news?.({ says: soFar.slice(-mostWords), growing: true }),
    onRef: async (ref) => keepPlace(page, ref),
    log: (line) => call.progress?.(line),
  };
  const answered = say(hooks).then(
    (answer) => outcomeOf(page, answer),
    (error: unknown) => broken(page, error),
  );
  const result = await Promise.race([answered, ended]);
  clearTimeout(timer);
  signal.removeEventListener("abort", onAbort);
  stop.abort();
  await closed(conversation);
  const outcome = typeof result === "string" ? stopped(page, result) : result;
  return { ...outcome, durationMs: Math.round(performance.now() - began) };
}

type PageOutcome = Omit<ProviderAnswer, "durationMs">;

function outcomeOf({ id, call }: PageCall, answer: Answer): PageOutcome {
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

function broken({ id }: PageCall, error: unknown): PageOutcome {
  const why = error instanceof FailureError ? error.failure.message : String(error);
  return { outcome: "failed", text: "", error: `${id}: ${why}` };
}

function stopped({ id, call }: PageCall, how: Ended): PageOutcome {
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
    // The page is gone; its last text is reported.
    () => undefined,
  );
  await Promise.race([done, late]);
  clearTimeout(timer);
}
