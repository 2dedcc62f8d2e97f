// The queue of this machine, as operations ask for it.
import type { QueuedRun } from "../../core/contract/index.ts";

export interface QueuedEntry extends QueuedRun {
  /** Its repository is where it was. */
  readonly there: boolean;
}

/** The end of one process that advanced a run. */
export interface TriedRun {
  /** Null where it was killed or never began. */
  readonly code: number | null;
  /** Why it did not begin. */
  readonly failure: string | null;
}

export interface Queue extends Disposable {
  add(runId: string, repo: string): void;
  list(): readonly QueuedEntry[];
  top(runId: string): boolean;
  remove(runId: string): boolean;
  paused(): boolean;
  pause(paused: boolean): void;
  take(runId: string, parallel: number): { release(): void } | undefined;
  noteFailure(runId: string, message: string, notBefore: number): void;
  /** Trouble around the run, such as a full disk: the try does not count as a failure. */
  notePause(runId: string, message: string, notBefore: number): void;
  noteSuccess(runId: string): void;
  /** Advances a run in a process of its own that takes a place; it survives this process. */
  start(entry: Pick<QueuedEntry, "runId" | "repo">, parallel: number): Promise<TriedRun>;
  /** A unit for systemd that serves the queue of this user. */
  unit(parallel: number): string;
}
