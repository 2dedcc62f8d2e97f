// The fleet as operations ask for it: workers on many machines, on one shared store.
import type { Failure, StoreCopied } from "../../core/contract/index.ts";
import type { LoopEnd, StartRun } from "./runs.ts";

export interface FleetWorker {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly labels: readonly string[];
  /** The runs it works on. */
  readonly doing: readonly string[];
  readonly secondsSinceBeat: number;
  readonly upSeconds: number;
}

export interface FleetSchedule {
  readonly key: string;
  readonly cron: string;
  readonly timezone: string;
  readonly goal: string;
  readonly repo: string;
}

/** A run that no worker can go on with, by the last try. */
export interface FleetTrouble {
  readonly runId: string;
  readonly host: string;
  readonly secondsAgo: number;
  readonly failure: Failure;
}

/** A run of the fleet that no process works on. */
export interface RunWait {
  /** The label that its worker must have; empty for any worker. */
  readonly needs: string;
  /** The living workers that may take it. */
  readonly workers: number;
  /** How the last try ended that did not go well. */
  readonly trouble: Pick<FleetTrouble, "host" | "failure"> | null;
}

export interface FleetView {
  readonly workers: readonly FleetWorker[];
  /** Runs that wait for a worker, that one works on, and that were set aside after too many tries. */
  readonly waiting: number;
  readonly active: number;
  readonly setAside: number;
  readonly troubles: readonly FleetTrouble[];
}

export interface WorkOptions {
  readonly labels: readonly string[];
  readonly concurrency: number;
  readonly perRepository?: number | undefined;
  readonly perProvider?: number | undefined;
  readonly healthPort?: number | undefined;
  readonly graceSeconds: number;
  readonly signal: AbortSignal;
  log(event: string, facts?: Readonly<Record<string, unknown>>): void;
}

export interface Fleet {
  /** Refuses a repository whose runs no worker could advance: no shared store, no address, a base that was not pushed. */
  check(folder: string): Promise<void>;
  /** Hands a run over to the fleet. */
  enlist(folder: string, runId: string, needs: string): Promise<void>;
  /** Works until the signal. */
  work(options: WorkOptions): Promise<Readonly<Record<string, number>>>;
  /** Advances one run here, as a worker's process does. */
  once(runId: string, signal: AbortSignal): Promise<LoopEnd["stop"]>;
  view(): Promise<FleetView>;
  schedule(folder: string, cron: string, timezone: string, options: StartRun): Promise<FleetSchedule>;
  schedules(): Promise<readonly FleetSchedule[]>;
  unschedule(key: string): Promise<void>;
  /** `embedded`, `shared` or the address of a database. */
  copy(folder: string, from: string, to: string, tell: (line: string) => void): Promise<StoreCopied>;
}
