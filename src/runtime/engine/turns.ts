// One queue a run. Reading, deciding, appending and learning of a run happen in its turn, and one turn ends before the
// next begins. The knowledge of this process about a run (the fold of its log so far) can be reached in a turn only.
import { type EventLog, type RunEvent, type StoredEvent, createKeyedQueue, fail } from "../../core/contract/index.ts";
import { type Run, evolve } from "../../core/machine/index.ts";
import { readEvent } from "./watch.ts";

/** One run, for the length of one turn. */
export interface Turn {
  readonly runId: string;
  /** The run as it is now in the log. Fails with `not_found`. */
  current(): Promise<Run>;
  /** The run as this process knows it. The log refuses an append that was decided on it when another process was faster. */
  known(): Promise<Run>;
  /** After an append: the run with the appended events, as the decision made it. */
  learn(run: Run): Run;
  forget(): void;
}

export interface Turns {
  /** The first turn of a run that is being made: no other turn can know its name. */
  first(runId: string): Turn;
  /**
   * Does the work when all earlier turns of this run are over. A turn that fails is over like any other. Work must not
   * wait for another turn of the same run: it would wait for itself.
   */
  take<T>(runId: string, work: (turn: Turn) => Promise<T>): Promise<T>;
}

/** How many runs stay in memory. */
const mostKept = 32;

function foldOn(run: Run | undefined, events: readonly StoredEvent<RunEvent>[]): Run | undefined {
  return events.reduce<Run | undefined>((state, { seq, at, event }): Run => evolve(state, { seq, at, event }), run);
}

function createMemory(log: EventLog<RunEvent>): (runId: string) => Turn {
  const kept = new Map<string, Run>();
  const remember = (run: Run): Run => {
    kept.delete(run.runId);
    kept.set(run.runId, run);
    for (const oldest of kept.keys()) {
      if (kept.size <= mostKept) break;
      kept.delete(oldest);
    }
    return run;
  };
  const current = async (runId: string): Promise<Run> => {
    const before = kept.get(runId);
    if (before && (await log.head(runId))?.seq === before.seq) return before;
    const run = foldOn(before, (await log.read(runId, (before?.seq ?? 0) + 1)).map(readEvent));
    if (!run)
      return fail("not_found", `There is no run ${runId} here.`, {
        remedy: "List the runs with `thehood status`.",
      });
    return remember(run);
  };
  return (runId) => ({
    runId,
    current: () => current(runId),
    known: async () => kept.get(runId) ?? current(runId),
    learn: remember,
    forget: () => void kept.delete(runId),
  });
}

export function createTurns(log: EventLog<RunEvent>): Turns {
  const turnOf = createMemory(log);
  const queue = createKeyedQueue();
  return {
    first: turnOf,
    take: (runId, work) => queue.run(runId, () => work(turnOf(runId))),
  };
}

/** Reads runs of a log that nothing is appended to here. */
export function createRunReader(log: EventLog<RunEvent>): (runId: string) => Promise<Run> {
  const turns = createTurns(log);
  return (runId) => turns.take(runId, (turn) => turn.current());
}
