// Streams for the page, one JSON object a line: the home as it changes, or the events of a run as they become durable.
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import type { ServerResponse } from "node:http";
import { clientGone, stream } from "../../platform/http/index.ts";
import { operations, perform, type Context } from "../../operations/index.ts";
import type { Home, Watched } from "../../operations/run-data/index.ts";
import { describeActivity, describeEvent } from "../../operations/text/index.ts";
import { closed } from "./headers.ts";

const beatMs = 15_000;
const lookMs = 700;
const againMs = 2_000;

const named = (name: string) => operations.find((operation) => operation.name === name);

async function ask(name: "home" | "watch", input: object, context: Context): Promise<unknown> {
  return perform(named(name) as never, input, context);
}

export const homeFor = async (context: Context): Promise<Home> =>
  (await ask("home", { search: "", limit: 50, group: undefined }, context)) as Home;

/** Waits, and is quiet about being woken by the end. */
const rest = (ms: number, signal: AbortSignal): Promise<void> =>
  pause(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });

/** Answers false when nobody listens any more. */
type Write = (message: object) => Promise<boolean>;

/** So long may a client leave unread what it was sent; then it is dropped. */
const unreadMs = 60_000;

/** Writes, and waits until the client has read it: nothing is gathered for one that reads slowly. */
async function handOver(
  response: ServerResponse,
  text: string,
  signal: AbortSignal,
  patienceMs: number,
): Promise<boolean> {
  if (!stream(response, text)) return false;
  if (!response.writableNeedDrain) return true;
  const tooLong = AbortSignal.timeout(patienceMs);
  await once(response, "drain", { signal: AbortSignal.any([signal, tooLong]) }).catch((error: unknown) => {
    if (!signal.aborted && !tooLong.aborted) throw error;
  });
  if (tooLong.aborted && response.writableNeedDrain) response.destroy();
  return !response.destroyed;
}

/** Opens the stream. */
export async function streaming(
  response: ServerResponse,
  body: (write: Write, signal: AbortSignal) => Promise<void>,
  patienceMs = unreadMs,
): Promise<void> {
  response.writeHead(200, { ...closed, "Content-Type": "application/x-ndjson", "X-Accel-Buffering": "no" });
  response.flushHeaders();
  const signal = clientGone(response);
  const beat = setInterval(() => stream(response, "{}\n"), beatMs);
  try {
    await body((message) => handOver(response, `${JSON.stringify(message)}\n`, signal, patienceMs), signal);
  } finally {
    clearInterval(beat);
    response.end();
  }
}

/** The home each time that it differs from the last one. */
export async function liveHome(
  context: Context,
  write: Write,
  signal: AbortSignal,
  asOnce: boolean,
): Promise<void> {
  let last = "";
  while (!signal.aborted) {
    const home = await homeFor(context);
    const now = JSON.stringify(home);
    if (now !== last && !(await write({ home }))) return;
    if (asOnce) return;
    last = now;
    await rest(lookMs, signal);
  }
}

/** So long are events looked for by a tab that has no connection to keep. */
const onceMs = 500;

/** Events after `after`. A run that nobody works on may be taken up again, so that the stream stays. */
export async function liveRun(
  context: Context,
  { runId, after }: { readonly runId: string; readonly after: number },
  write: Write,
  signal: AbortSignal,
  asOnce: boolean,
): Promise<void> {
  let from = after + 1;
  while (!signal.aborted) {
    const limit = asOnce ? AbortSignal.any([signal, AbortSignal.timeout(onceMs)]) : signal;
    const seen = (await ask(
      "watch",
      { runId, from },
      { ...context, signal: limit },
    )) as AsyncIterable<Watched>;
    for await (const { stored, now } of seen) {
      if (stored) from = stored.seq + 1;
      const event = stored && {
        seq: stored.seq,
        at: stored.at,
        type: stored.event.type,
        ...describeEvent(stored.event),
      };
      if (
        !(await write({
          event,
          doing: now?.doing ?? null,
          held: now?.held?.why ?? null,
          work: (now?.activities ?? []).map((one) => describeActivity(one, Date.now())),
        }))
      )
        return;
    }
    if (asOnce) return;
    await rest(againMs, signal);
  }
}
