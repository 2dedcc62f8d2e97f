// A run that the fleet advances is offered to it and then looked at: this process does none of its work.
import type { RunEvent, StoredEvent } from "../../core/contract/index.ts";
import { compactStatus, isEnded, openGates, type Run } from "../../core/machine/index.ts";
import type { LoopEnd, Watcher } from "../../operations/index.ts";

interface Watched {
  readonly stored: StoredEvent<RunEvent>;
  readonly run: Run;
}

export interface FollowedRun {
  /** The run now, and what follows. */
  read(): Promise<Run>;
  watch(from: number, signal: AbortSignal): AsyncIterable<Watched>;
  readonly signal: AbortSignal;
  readonly watcher: Watcher | undefined;
}

export async function followRemote(
  runId: string,
  { read, watch, signal, watcher }: FollowedRun,
): Promise<LoopEnd> {
  let run = await read();
  const stands = (): boolean => isEnded(run.phase) || openGates(run).length > 0;
  if (!stands())
    for await (const seen of watch(run.seq + 1, signal)) {
      run = seen.run;
      watcher?.event?.(seen.stored, () => compactStatus(seen.run));
      if (stands()) break;
    }
  const ended = isEnded(run.phase);
  const stop = ended ? "terminal" : openGates(run).length > 0 ? "approval_required" : "no_progress";
  return { runId, stop: signal.aborted && !ended ? "interrupted" : stop, status: compactStatus(run) };
}
