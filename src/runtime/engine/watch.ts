// watch: the events of a run from a place on, each with the run as it was then, until the run is over or the watcher leaves.
import { type RunEvent, type StoredEvent, FailureError } from "../../core/contract/index.ts";
import { type Run, evolve, isEnded, next, readRunEvent } from "../../core/machine/index.ts";
import type { EnginePorts } from "./ports.ts";

export interface WatchedEvent {
  readonly seq: number;
  readonly stored: StoredEvent<RunEvent>;
  readonly run: Run;
}

const pollMs = 100;

export async function* watch(
  ports: Pick<EnginePorts, "log" | "timers">,
  runId: string,
  fromSeq: number,
  signal?: AbortSignal,
): AsyncGenerator<WatchedEvent> {
  let run: Run | undefined;
  for (;;) {
    if (signal?.aborted) return;
    const seen = run?.seq ?? 0;
    const head = (await ports.log.head(runId))?.seq ?? 0;
    for (const found of head > seen ? await ports.log.read(runId, seen + 1) : []) {
      const stored = readEvent(found);
      run = evolve(run, { seq: stored.seq, at: stored.at, event: stored.event });
      if (stored.seq >= fromSeq) yield { seq: stored.seq, stored, run };
    }
    if (run && isEnded(run.phase) && !next(run)) return;
    await ports.timers.sleep(pollMs, signal);
  }
}

export function readEvent(stored: StoredEvent<unknown>): StoredEvent<RunEvent> {
  const read = readRunEvent(stored.event, stored.runId, stored.seq);
  if (!read.ok) throw new FailureError(read.failure);
  return { ...stored, event: read.event };
}
