// The ports of the engine: the store, the performer of effects, time, names, and the identity of this process.
import type {
  ActivityNews,
  Artifacts,
  Clock,
  EventLog,
  Ids,
  LeaseOwner,
  Leases,
  PerformEffect,
  RunEvent,
  Sha256,
  Spool,
  StoredEvent,
  Timers,
} from "../../core/contract/index.ts";
import type { Run } from "../../core/machine/index.ts";

export interface EnginePorts {
  readonly log: EventLog<RunEvent>;
  /** Called with every append of this engine once it is durable, before the engine goes on. */
  appended?(stored: readonly StoredEvent<RunEvent>[]): void;
  readonly artifacts: Artifacts;
  readonly leases: Leases;
  /** Keeps paid answers until they are in the log; without it an append that fails loses them. */
  readonly spool?: Spool;
  /** Does the work of an effect outside of the log. */
  readonly perform: PerformEffect;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly sha256: Sha256;
  readonly timers: Timers;
  readonly text: TextPort;
  readonly owner: LeaseOwner;
  /** The version of the program; a snapshot is read by the version that wrote it. Without it none is written. */
  readonly version?: string;
}

/** UTF-8 both ways. Bytes that are not UTF-8 become replacement characters; such a text is only shown. */
export interface TextPort {
  decode(bytes: Uint8Array): string;
  encode(text: string): Uint8Array;
  /** Removes secrets, by our rules and the user's. Bound: it may be handed to `map`. */
  readonly redact: (text: string) => string;
  /** The same for logs: a plain word beside the name of a password stays readable. */
  readonly redactLog: (text: string) => string;
  /** The same as `redact`, with the number and the kinds of secrets that were removed. */
  readonly withoutSecrets: (text: string) => {
    readonly text: string;
    readonly taken: number;
    readonly kinds: readonly string[];
  };
}

/** Called while a run moves. It records nothing, and it cannot stop the run. */
export interface RunListener {
  /** In the order of the log. `run` is the run with all events of the same append. */
  event?(stored: StoredEvent<RunEvent>, run: Run): void;
  progress?(line: string): void;
  activity?(news: ActivityNews): void;
}
