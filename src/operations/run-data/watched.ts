// A run as it is watched: its events, and at the newest one what holds it up.
import {
  isTerminal,
  type Activity,
  type RunEvent,
  type StoredEvent,
  type Suggestion,
} from "../../core/contract/index.ts";
import type { CompactStatus, Context, RepositoryRuns } from "../context/index.ts";
import { waitOf } from "./snapshot.ts";
import { describeWait } from "./row.ts";

export interface Hindrance {
  readonly why: string;
  /** The way on. */
  readonly next: Suggestion;
}

export interface Now {
  /** The check or the agent that is at work. */
  readonly doing: string;
  /** Since when, and the longest that it may take. */
  readonly since: number;
  readonly limitMs: number | null;
  readonly held: Hindrance | null;
  /** The present work of each agent and check. */
  readonly activities: readonly Activity[];
}

export interface Watched {
  /** Null for a report that nothing happened. */
  readonly stored: StoredEvent<RunEvent> | null;
  /** Null while older events are sent. */
  readonly now: Now | null;
}

async function heldUp(runs: RepositoryRuns, runId: string): Promise<Hindrance | null> {
  const [gate] = await runs.gates(runId);
  if (gate) return { why: `waiting for you: ${gate.title}`, next: { suggest: "status", runId } };
  const unattended = !(await runs.idle(runId)) && (await runs.holder(runId)) === null;
  const wait = unattended ? await waitOf(runs, runId) : null;
  if (wait) return { why: describeWait(wait), next: { suggest: "workers" } };
  return unattended ? { why: "stopped: no process works on it", next: { suggest: "continue", runId } } : null;
}

const nowOf = (
  { doing, since, limitMs }: CompactStatus["monitor"],
  held: Hindrance | null,
  activities: readonly Activity[] = [],
): Now => ({
  doing,
  since,
  limitMs: limitMs ?? null,
  held,
  activities,
});

const activityMs = 1_000;

/** The events; where none comes, the present work as often as it changes. */
async function* eventsWithActivity(runs: RepositoryRuns, runId: string, from: number, signal: AbortSignal) {
  let last = "[]";
  for await (const stored of withTicks(runs.watch(runId, from, signal), activityMs)) {
    if (stored !== "tick") {
      yield { stored, activities: [] };
      continue;
    }
    const { activities } = await runs.live(runId);
    const now = JSON.stringify(activities);
    if (now !== last) yield { stored: null, activities };
    last = now;
  }
}

/** The run is found before the first event is asked for, so that a wrong name fails at once. */
export async function watched(
  context: Context,
  wanted: string | undefined,
  from: number,
): Promise<AsyncIterable<Watched>> {
  const runs = await context.ports.runs(context.folder);
  const found = await runs.find(wanted).catch(async (error: unknown) => {
    await runs[Symbol.asyncDispose]();
    throw error;
  });
  return follow(context, runs, found, from);
}

/** The same; where the run waits for the person at this terminal, or nobody works on it, it goes on here. */
export async function attached(context: Context, wanted: string | undefined): Promise<AsyncIterable<Watched>> {
  const runs = await context.ports.runs(context.folder);
  const found = await runs.find(wanted).catch(async (error: unknown) => {
    await runs[Symbol.asyncDispose]();
    throw error;
  });
  return followHere(context, runs, found);
}

async function* followHere(context: Context, opened: RepositoryRuns, runId: string): AsyncGenerator<Watched> {
  const asksHere = context.showGate !== undefined;
  for await (const seen of follow(context, opened, runId, 1)) {
    yield seen;
    if (asksHere && seen.now?.held?.next.suggest === "status") break;
  }
  if (!asksHere || context.signal.aborted) return;
  await using runs = await context.ports.runs(context.folder);
  const { state, counts, monitor } = await runs.status(runId);
  if (isTerminal(state)) return;
  // Nothing of the watched run stays on the line where the question begins.
  yield { stored: null, now: nowOf(monitor, null) };
  await context.advance(runs, runId, { from: counts.events, waitMs: lookMs });
}

/** A process that died writes no event: so often is it looked for. */
const lookMs = 5_000;

async function* follow(context: Context, opened: RepositoryRuns, runId: string, from: number): AsyncGenerator<Watched> {
  await using runs = opened;
  let next = from;
  let unattended = 0;
  for (;;) {
    const soon = AbortSignal.any([context.signal, AbortSignal.timeout(lookMs)]);
    for await (const { stored, activities } of eventsWithActivity(runs, runId, next, soon)) {
      const { counts, monitor } = await runs.status(runId);
      if (stored === null) {
        yield { stored, now: nowOf(monitor, null, activities) };
        continue;
      }
      next = stored.seq + 1;
      const newest = stored.seq >= counts.events;
      yield { stored, now: newest ? nowOf(monitor, await heldUp(runs, runId)) : null };
    }
    const { state, monitor } = await runs.status(runId);
    if (context.signal.aborted || isTerminal(state)) return;
    const held = await heldUp(runs, runId);
    // Another process may be about to take it up: it is given the time of one more look.
    unattended = held?.next.suggest === "continue" ? unattended + 1 : 0;
    if (held?.next.suggest === "workers") yield { stored: null, now: nowOf(monitor, held) };
    if (unattended < 2) continue;
    yield { stored: null, now: nowOf(monitor, held) };
    return;
  }
}

/** The values of a stream, and a tick after each `ms` without one: a reader of a run then reads what its agents do. */
export async function* withTicks<T>(things: AsyncIterable<T>, ms: number): AsyncGenerator<T | "tick"> {
  const iterator = things[Symbol.asyncIterator]();
  let coming = iterator.next();
  try {
    for (;;) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<"tick">((resolve) => {
        timer = setTimeout(() => resolve("tick"), ms);
      });
      const first = await Promise.race([coming, late]).finally(() => clearTimeout(timer));
      if (first === "tick") {
        yield "tick" as const;
        continue;
      }
      if (first.done) return;
      yield first.value;
      coming = iterator.next();
    }
  } finally {
    await iterator.return?.();
  }
}
