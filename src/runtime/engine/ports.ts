// The ports of the engine: the store, the performer of effects, time, names, and the identity of this process.
import type {
  ActivityNews,
  Artifacts,
  Clock,
  EffectPerformer,
  EventLog,
  Ids,
  LeaseOwner,
  Leases,
  RunEvent,
  Sha256,
  Spool,
  StoredEvent,
  Timers,
} from "../../core/contract/index.ts";
import type { Run } from "../../core/machine/index.ts";
import type { TextPort } from "./effects/index.ts";

export interface EnginePorts {
  readonly log: EventLog<RunEvent>;
  /** Hears of every append of this engine once it is durable, before the engine goes on. */
  appended?(stored: readonly StoredEvent<RunEvent>[]): void;
  readonly artifacts: Artifacts;
  readonly leases: Leases;
  /** Keeps paid answers until they are in the log; without it an append that fails loses them. */
  readonly spool?: Spool;
  readonly effects: EffectPerformer;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly sha256: Sha256;
  readonly timers: Timers;
  readonly text: TextPort;
  readonly owner: LeaseOwner;
}

/** Hears of a run as it moves. It records nothing, and it cannot stop the run. */
export interface RunListener {
  /** In the order of the log. `run` is the run with all events of the same append. */
  event?(stored: StoredEvent<RunEvent>, run: Run): void;
  progress?(line: string): void;
  activity?(news: ActivityNews): void;
}
