// A request to a provider with its retries: each one logged, with the pause that the server asks for.
import { quotaEnd } from "../quota.ts";
import { fail } from "../../core/contract/index.ts";
import { passing, readRefusal, refuseReply, withoutKey } from "./failures.ts";
import { type HttpDoor, HttpFailure, type HttpReply } from "./http.ts";
import { type Pace, backoff, longestRetryAfterMs, maxAttempts, requestedPause, worthRetrying } from "./retry.ts";

/** Where a conversation goes and with which key. */
export interface ApiRoute {
  readonly door: HttpDoor;
  readonly pace: Pace;
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly key: string | undefined;
  readonly keyName: string;
  readonly model: string;
  /** No server listens on this machine: that is not over in a moment, so it is not tried again. */
  readonly loopback?: boolean;
}

interface Ask {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: unknown;
  readonly signal: AbortSignal;
  readonly idleMs: number;
  readonly log: (line: string) => void;
  /** Statuses the caller wants to see itself. */
  readonly accept?: readonly number[];
  /** How long there is left to wait; a longer pause is not begun. */
  readonly longestPause?: () => number;
}

const errorBytes = 64 << 10;

/** Answers with a 2xx reply (or an accepted status), or fails; the failure's details say whether work may have begun. */
export async function exchange(line: ApiRoute, ask: Ask): Promise<HttpReply> {
  const { host } = new URL(line.baseUrl);
  let mayHaveBegun = false;
  for (let attempt = 1; ; attempt += 1) {
    const tried = await once(line, ask);
    if (tried.kind === "reply") return tried.reply;
    mayHaveBegun ||= tried.mayHaveBegun;
    const pause = tried.pauseMs ?? backoff(attempt, line.pace.chance());
    const patience = Math.min(longestRetryAfterMs, ask.longestPause?.() ?? longestRetryAfterMs);
    if (tried.again && attempt < maxAttempts && pause <= patience) {
      ask.log(`${tried.why}; trying again in ${pause} ms (${attempt} of ${maxAttempts - 1})`);
      await pauseOrStop(line, pause, ask.signal);
      continue;
    }
    if (tried.refusal && tried.again && pause > patience)
      ask.log(`the server asks to wait ${Math.ceil(pause / 1000)} s, which is too long to wait here`);
    if (tried.refusal)
      return refuseReply(
        {
          ...tried.refusal,
          ...(tried.again && pause > patience ? { waitMs: pause } : {}),
          limitedUntil: limitOf(tried, line.pace.now()),
        },
        { host, model: line.model, keyName: line.keyName, mayHaveBegun },
      );
    return fail("provider_unavailable", `${host} could not be reached: ${tried.why}.`, {
      remedy: unreachedRemedy(line, tried.why),
      details: { ...passing, mayHaveBegun },
    });
  }
}

/** The header first, then what the refusal says. */
function limitOf({ refusal, pauseMs }: Extract<Tried, { kind: "failed" }>, now: number): number | undefined {
  if (refusal?.status !== 429) return undefined;
  return pauseMs === undefined ? quotaEnd(`429 ${refusal.said ?? refusal.message}`, now) : now + pauseMs;
}

function unreachedRemedy({ loopback, baseUrl }: ApiRoute, why: string): string {
  if (/certificate/i.test(why))
    return "If you trust its certificate, name the file of it or of its authority in NODE_EXTRA_CA_CERTS.";
  return loopback === true
    ? `Start the model server that should listen at ${baseUrl}, or correct the base URL.`
    : "Check the network and the base URL, then try again.";
}

export async function pauseOrStop(line: ApiRoute, ms: number, signal: AbortSignal): Promise<void> {
  try {
    await line.pace.pause(ms, signal);
  } catch (error) {
    if (error instanceof HttpFailure) fail("interrupted", "The wait for the answer was stopped.");
    throw error;
  }
}

type Tried =
  | { readonly kind: "reply"; readonly reply: HttpReply }
  | {
      readonly kind: "failed";
      readonly again: boolean;
      readonly mayHaveBegun: boolean;
      readonly why: string;
      readonly pauseMs?: number;
      readonly refusal?: ReturnType<typeof readRefusal>;
    };

async function once(line: ApiRoute, ask: Ask): Promise<Tried> {
  try {
    const reply = await line.door.send({
      method: ask.method,
      url: `${line.baseUrl}${ask.path}`,
      headers: {
        accept: "application/json, text/event-stream",
        ...(ask.body === undefined ? {} : { "content-type": "application/json" }),
        ...line.headers,
      },
      ...(ask.body === undefined ? {} : { body: JSON.stringify(ask.body) }),
      signal: ask.signal,
      idleMs: ask.idleMs,
    });
    if ((reply.status >= 200 && reply.status < 300) || ask.accept?.includes(reply.status))
      return { kind: "reply", reply };
    const refusal = readRefusal(reply.status, withoutKey(await reply.text(errorBytes), line.key));
    const pauseMs = requestedPause(reply.header, line.pace.now());
    return {
      kind: "failed",
      again: worthRetrying(reply.status, refusal.code),
      // A server that refuses or reports a failure does no work; one that hangs up without an answer may.
      mayHaveBegun: false,
      why: `HTTP ${reply.status}: ${refusal.message}`,
      refusal: { ...refusal, elsewhere: reply.header("location") },
      ...(pauseMs === undefined ? {} : { pauseMs }),
    };
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error;
    if (error.kind === "aborted") return fail("interrupted", "The request was stopped.");
    const absent = error.kind === "not_sent" && line.loopback === true;
    return {
      kind: "failed",
      again: error.kind !== "silent" && !absent,
      mayHaveBegun: error.kind !== "not_sent",
      why: withoutKey(error.message, line.key),
    };
  }
}

const answerBytes = 64 << 20;

async function wholeText(reply: HttpReply): Promise<string> {
  try {
    return await reply.text(answerBytes);
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error;
    if (error.kind === "aborted") return fail("interrupted", "The request was stopped.");
    return fail("provider_unavailable", `The answer broke off: ${error.message}.`, {
      remedy: "Try again; if it stays, the connection or the server is at fault.",
      details: { ...passing, mayHaveBegun: true },
    });
  }
}

export async function readJsonBody(reply: HttpReply): Promise<unknown> {
  const text = await wholeText(reply);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return fail("provider_unavailable", `The server's answer is not JSON: ${text.slice(0, 200)}`, {
      remedy: "Check that the base URL is that of an API, e.g. that it ends in /v1.",
    });
  }
}
