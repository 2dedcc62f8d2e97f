// What this process knows of each run: the fold of its log so far, brought up to date by reading on from there.
import { FailureError, type RunEvent, type StoredEvent, fail } from "../contract/index.ts";
import { type Run, evolve, readRunEvent } from "../machine/index.ts";
import type { RunsWorld } from "./world.ts";

/** The door from the disk: an event this version does not know is refused, not guessed at. */
export function readEvent(stored: StoredEvent<unknown>): StoredEvent<RunEvent> {
  const read = readRunEvent(stored.event, stored.runId, stored.seq);
  if (!read.ok) throw new FailureError(read.failure);
  return { ...stored, event: read.event };
}

export interface Memory {
  /** The run as it is now in the log. Fails with `not_found`. */
  current(runId: string): Run;
  /** The run as this process knows it. What is decided on it is refused by the log when others were faster. */
  known(runId: string): Run;
  /** After an append: what the run is with it, as it was worked out when it was decided. */
  learn(run: Run): Run;
  forget(runId: string): void;
}

/** How many runs are kept; a dashboard that looks at thousands must not hold them all. */
const kept = 32;

export function createMemory(world: Pick<RunsWorld, "log">): Memory {
  const known = new Map<string, Run>();
  const remember = (run: Run): Run => {
    known.delete(run.runId);
    known.set(run.runId, run);
    for (const oldest of known.keys()) {
      if (known.size <= kept) break;
      known.delete(oldest);
    }
    return run;
  };
  const foldOn = (run: Run | undefined, stored: readonly StoredEvent<RunEvent>[]): Run | undefined =>
    stored.reduce<Run | undefined>(
      (state, { seq, at, event }): Run => evolve(state, { seq, at, event }),
      run,
    );
  return {
    known(runId) {
      return known.get(runId) ?? this.current(runId);
    },
    current(runId) {
      const before = known.get(runId);
      if (before && world.log.head(runId)?.seq === before.seq) return before;
      const run = foldOn(before, world.log.read(runId, (before?.seq ?? 0) + 1).map(readEvent));
      if (!run)
        return fail("not_found", `There is no run ${runId} here.`, {
          remedy: "List the runs with `thehood runs`.",
        });
      return remember(run);
    },
    learn: remember,
    forget: (runId) => void known.delete(runId),
  };
}
