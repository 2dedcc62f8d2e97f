// Streams for the page, one JSON object for each line: the home when it changes, or the events of a run when they are durable.
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import type { ServerResponse } from "node:http";
import { clientGone, stream } from "../../platform/http/index.ts";
import { operations, perform, type Context } from "../../operations/index.ts";
import type { Home, Watched } from "../../operations/run-data/index.ts";
import { describeActivity, describeEvent } from "../../operations/text/index.ts";
import { closed } from "./files.ts";

const beatMs = 15_000;
const pollMs = 700;
const againMs = 2_000;

const named = (name: string) => operations.find((operation) => operation.name === name);

async function performNamed(name: "home" | "watch", input: object, context: Context): Promise<unknown> {
  return perform(named(name) as never, input, context);
}

export const homeFor = async (context: Context): Promise<Home> =>
  (await performNamed("home", { search: "", limit: 50, group: undefined }, context)) as Home;

/** Waits; an abort ends the wait without an error. */
const rest = (ms: number, signal: AbortSignal): Promise<void> =>
  pause(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });

/** Resolves to false if the client is gone. */
type Write = (message: object) => Promise<boolean>;

/** A client that does not read for this long is dropped. */
const unreadMs = 60_000;

/** Writes, and waits until the client has read it, so nothing piles up for a slow client. */
async function writeAndDrain(
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
    await body((message) => writeAndDrain(response, `${JSON.stringify(message)}\n`, signal, patienceMs), signal);
  } finally {
    clearInterval(beat);
    response.end();
  }
}

/** Writes the home each time it changes. */
export async function liveHome(context: Context, write: Write, signal: AbortSignal, asOnce: boolean): Promise<void> {
  let last = "";
  while (!signal.aborted) {
    const home = await homeFor(context);
    const now = JSON.stringify(home);
    if (now !== last && !(await write({ home }))) return;
    if (asOnce) return;
    last = now;
    await rest(pollMs, signal);
  }
}

/** How long a request without a permanent connection waits for events. */
const onceMs = 500;

/** Writes the events after `after`. The stream stays open, because an idle run may be continued. */
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
    const seen = (await performNamed(
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
