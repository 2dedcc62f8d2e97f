// The queue of this machine: what waits, what is under way, what waits for a person, and one try at a run.
import { fail, FailureError, isPassing, isTerminal } from "../../core/contract/index.ts";
import type { Monitor } from "../../core/machine/view/index.ts";
import type { Context, Queue, QueuedEntry, RepositoryRuns, RunStop } from "../context/index.ts";

export type QueuedState = "running" | "waits_for_you" | "waiting" | "set_aside" | "over" | "missing";

export interface QueueRow extends QueuedEntry {
  readonly state: QueuedState;
  readonly goal: string;
  readonly doing: string;
}

export interface QueueView {
  readonly paused: boolean;
  readonly rows: readonly QueueRow[];
}

/** A run that failed this often in a row is set aside until a person moves it to the top. */
export const mostFailures = 10;
const longestPauseMs = 60_000;
/** After a try that met trouble of the machine, such as a full disk. */
export const troubleMs = 5_000;

async function rowOf(runs: RepositoryRuns, entry: QueuedEntry): Promise<QueueRow> {
  const status = await runs.status(entry.runId);
  const { goal, monitor } = status;
  const isBusy = entry.owner !== null || (await runs.holder(entry.runId)) !== null;
  const state: QueuedState = isBusy
    ? "running"
    : isTerminal(status.state)
      ? "over"
      : status.gate
        ? "waits_for_you"
        : entry.failures >= mostFailures
          ? "set_aside"
          : "waiting";
  return { ...entry, state, goal, doing: monitor.doing };
}

/**
 * A repository that is gone or a record that cannot be read is a row too: nothing of the queue is hidden. `onPassing` gets
 * the runs of a store that is in trouble and may be there again later.
 */
export async function rowsOf(
  entries: readonly QueuedEntry[],
  { ports }: Pick<Context, "ports">,
  onPassing: (entries: readonly QueuedEntry[], message: string) => void = () => undefined,
): Promise<QueueRow[]> {
  const rows = new Map<string, QueueRow>();
  for (const repo of new Set(entries.map((entry) => entry.repo))) {
    const here = entries.filter((entry) => entry.repo === repo);
    const missing = (doing: string): void => {
      for (const entry of here)
        if (!rows.has(entry.runId)) rows.set(entry.runId, { ...entry, state: "missing", goal: "", doing });
    };
    if (!here.every(({ there }) => there)) {
      missing(`There is no folder ${repo}.`);
      continue;
    }
    try {
      await using runs = await ports.runs(repo);
      for (const entry of here) rows.set(entry.runId, await rowOf(runs, entry));
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
      if (isPassing(error)) onPassing(here, error.failure.message);
      missing(error.failure.message);
    }
  }
  return entries.flatMap(({ runId }) => rows.get(runId) ?? []);
}

export async function viewQueue(context: Context): Promise<QueueView> {
  using queue = await context.ports.queue("read");
  return { paused: queue.paused(), rows: await rowsOf(queue.list(), context) };
}

export async function addToQueue(context: Context, { repo, status }: RepositoryRuns, runId: string): Promise<void> {
  const { state } = await status(runId);
  if (isTerminal(state))
    fail("conflict", `${runId} is ${state}: there is nothing left to do in it.`, {
      remedy: 'Follow it up: thehood run --after RUN "goal"; or begin it again: thehood rerun RUN',
    });
  using queue = await context.ports.queue();
  refuseOtherCopy(queue, runId, repo);
  queue.add(runId, repo);
  context.tell(`${runId} waits in the queue. Work on it: thehood queue run\nThe queue: thehood queue`);
}

/** A repository that was moved brings its runs along; of one that was copied, one folder at a time works on a run. */
function refuseOtherCopy(queue: Queue, runId: string, repo: string): void {
  const known = queue.list().find((entry) => entry.runId === runId);
  if (known && known.repo !== repo && known.there)
    fail("conflict", `${runId} is in the queue for another copy of this repository: ${known.repo}`, {
      remedy: "Take it out of the queue first: thehood queue remove RUN",
    });
}

/** An entry by its id or a unique beginning of it. */
export function entryIn(queue: Queue, wanted: string): QueuedEntry {
  const found = queue.list().filter(({ runId }) => runId.startsWith(wanted) || runId.startsWith(`run_${wanted}`));
  const [only, another] = found;
  if (only && (!another || found.some(({ runId }) => runId === wanted)))
    return found.find(({ runId }) => runId === wanted) ?? only;
  return fail(
    "not_found",
    only ? `Several runs of the queue begin with ${wanted}.` : `${wanted} is not in the queue.`,
    {
      remedy: "See what is: thehood queue",
    },
  );
}

/** One run in this process, in a place of the queue; "full" where all places are taken. */
export async function workOn(context: Context, runId: string, parallel: number): Promise<RunStop | "full"> {
  using queue = await context.ports.queue();
  const slot = queue.take(runId, parallel);
  if (!slot) return "full";
  try {
    await using runs = await context.ports.runs(context.folder);
    const { counts, monitor } = await runs.status(runId);
    const from = counts.events;
    // A run that waits for the limit of a provider gives its place to another until then.
    const stop = stillLimited(monitor)
      ? "interrupted"
      : await context.advance(runs, runId, { from, waitMs: 0, until: "provider_limited" });
    // Only now: after its last event a run is still committed and its worktree removed.
    if (stop === "terminal") queue.remove(runId);
    else noteWait(queue, runId, (await runs.status(runId)).monitor);
    return stop;
  } catch (error) {
    noteTry(queue, runId, error);
    throw error;
  } finally {
    slot.release();
  }
}

const stillLimited = ({ until }: Monitor): boolean => until !== undefined && until > Date.now();

/** The queue begins it again by itself once the limit is over. */
function noteWait(queue: Queue, runId: string, monitor: Monitor): void {
  if (monitor.until !== undefined && stillLimited(monitor)) queue.notePause(runId, monitor.doing, monitor.until);
  else queue.noteSuccess(runId);
}

/** Trouble of the machine counts as no failure of the run. Where the disk takes no note of it, the first error is reported. */
function noteTry(queue: Queue, runId: string, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  try {
    if (isPassing(error)) queue.notePause(runId, message, Date.now() + troubleMs);
    else noteFailure(queue, runId, message);
  } catch (second) {
    if (!isPassing(second)) throw second;
  }
}

/** The pause grows with each failure in a row. */
export function noteFailure(queue: Queue, runId: string, message: string): void {
  const failures = queue.list().find((entry) => entry.runId === runId)?.failures ?? 0;
  queue.noteFailure(runId, message, Date.now() + Math.min(longestPauseMs, 1_000 * 2 ** failures));
}
