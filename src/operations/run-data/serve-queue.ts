// The loop of `queue run`: starts runs in their turn, each in a process of its own, and outlives trouble of the machine.
import { isPassing } from "../../core/contract/index.ts";
import type { Context, Queue, QueuedEntry, TriedRun } from "../context/index.ts";
import { mostFailures, noteFailure, type QueuedState, type QueueView, rowsOf, troubleMs } from "./queue.ts";

/** Someone who answers a gate advances the run themselves: they get this time to begin. */
const graceMs = 2_000;
const lookMs = 500;

interface Serving {
  readonly parallel: number;
  /** Go on when nothing is left to do. */
  readonly stay: boolean;
}

/** What one `queue run` knows while it serves; trouble of the store does not end it. */
interface Serve {
  /** Undefined while the store is in trouble, and after the end. */
  queue: Queue | undefined;
  /** Runs whose process this one started and that has not ended. */
  readonly started: Set<string>;
  /** No run is begun again before this time. */
  readonly notBefore: Map<string, number>;
  /** The trouble that was reported last. */
  met: string;
}

/** Starts runs in their turn until nothing can move, or until the signal. Processes under way go on. */
export async function serveQueue(context: Context, serving: Serving): Promise<QueueView> {
  const serve: Serve = { queue: undefined, started: new Set(), notBefore: new Map(), met: "" };
  for (;;) {
    try {
      using queue = await context.ports.queue();
      serve.queue = queue;
      await serveWith(queue, serve, serving, context);
      serve.queue = undefined;
      return { paused: queue.paused(), rows: await rowsOf(queue.list(), context) };
    } catch (error) {
      const served = serve.queue !== undefined || serve.met !== "";
      serve.queue = undefined;
      // A queue that cannot be opened at the start is reported at once.
      if (!served || !isPassing(error) || context.signal.aborted) throw error;
      if (error.message !== serve.met)
        context.tell(`${(serve.met = error.message)} The queue goes on when that is over.`);
      await pause(troubleMs);
    }
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A run that is over is begun once more, unless its own process ended in peace: its commit may be missing. */
const isOpen = (state: QueuedState): boolean => state === "waiting" || state === "over";

async function serveWith(queue: Queue, serve: Serve, { parallel, stay }: Serving, context: Context): Promise<void> {
  const { started, notBefore } = serve;
  while (!context.signal.aborted) {
    let troubled = 0;
    const rows = await rowsOf(queue.list(), context, (entries, message) => {
      troubled += entries.length;
      if (serve.met !== message) context.tell(`${(serve.met = message)} The queue goes on when that is over.`);
    });
    if (troubled === 0) serve.met = "";
    for (const { runId, state, failures } of rows)
      if (state === "over" && failures >= mostFailures && !started.has(runId)) queue.remove(runId);
    const now = Date.now();
    const busy = new Set([...started, ...rows.flatMap(({ runId, state }) => (state === "running" ? [runId] : []))]);
    const open = rows.filter(({ runId, state }) => isOpen(state) && !busy.has(runId));
    const ready = queue.paused()
      ? []
      : open.filter((row) => row.notBefore <= now && (notBefore.get(row.runId) ?? 0) < now);
    for (const row of ready.slice(0, Math.max(0, parallel - busy.size))) {
      context.tell(`${row.runId} begins: ${row.goal.slice(0, 80)}`);
      started.add(row.runId);
      void follow(serve, row, queue.start(row, parallel));
    }
    const nothingLeft = (open.length === 0 && troubled === 0) || queue.paused();
    if (!stay && started.size === 0 && busy.size === 0 && nothingLeft) break;
    await pause(troubled > 0 ? troubleMs : lookMs);
  }
}

/** Its process may end while the store is in trouble, or after the end of this one. */
async function follow(serve: Serve, row: QueuedEntry, end: Promise<TriedRun>): Promise<void> {
  const tried = await end;
  serve.notBefore.set(row.runId, Date.now() + (noteEnd(serve.queue, row, tried) ? graceMs : troubleMs));
  serve.started.delete(row.runId);
}

/**
 * The process itself notes what it did. One that was killed noted nothing and counts for nothing: its run is tried again at
 * once. One that ended with a failure before it could note it is noted here. False when the disk takes no note.
 */
function noteEnd(queue: Queue | undefined, before: QueuedEntry, { code, failure }: TriedRun): boolean {
  try {
    const now = queue?.list().find(({ runId }) => runId === before.runId);
    if (!queue || now?.failures !== before.failures || now.notBefore !== before.notBefore) return true;
    if (failure !== null) noteFailure(queue, before.runId, failure);
    else if (code !== null && code !== 0)
      noteFailure(queue, before.runId, `Its process ended with code ${code} and no message.`);
    return true;
  } catch (error) {
    if (!isPassing(error)) throw error;
    return false;
  }
}
