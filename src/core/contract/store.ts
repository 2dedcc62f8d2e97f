// The ports of the store: an append-only log of events, artifacts by hash, leases on runs, a spool of outcomes. All but the
// spool return promises, so that a store can be in this process or behind a network. A refusal that the caller must handle is
// data; every other error rejects with a `FailureError`.
import type { ArtifactKind, ArtifactRef } from "./artifact.ts";

/** A stored event. `hash` covers all other fields of the record and the previous hash. */
export interface StoredEvent<E = unknown> {
  readonly runId: string;
  readonly seq: number;
  readonly at: number;
  readonly event: E;
  readonly prevHash: string;
  readonly hash: string;
}

/** The row of a run in lists: written in the same transaction as the events it is derived from. */
export interface RunRow {
  readonly runId: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly seq: number;
  readonly goal: string;
  readonly mode: string;
  readonly state: string;
  /** More for the list view, as JSON, at most 2 kB. */
  readonly brief: unknown;
  /** The problem in one line, when the row or the end of its log is altered or unreadable. */
  readonly damaged?: string;
}

export interface AppendRequest<E> {
  readonly runId: string;
  /** The seq of the last event that the writer has read; 0 for a new run. */
  readonly expectedSeq: number;
  readonly at: number;
  readonly events: readonly E[];
  readonly row: Omit<RunRow, "seq" | "updatedAt" | "damaged">;
  /** The status of a run at rest as text, for `snapshot`. The next append replaces or removes it. */
  readonly snapshot?: string;
  /** The fencing token of the writer's lease; a writer whose lease was taken over is refused. */
  readonly lease?: number;
}

export interface RunQuery {
  readonly limit?: number;
  readonly before?: { readonly updatedAt: number; readonly runId: string };
  readonly state?: string;
}

/**
 * The only writer of run state. `append` resolves when, and only when, the events are durable. All events of one append,
 * its row and the check of its lease are one transaction. An append that rejects may be durable nevertheless (its response
 * was lost): the next append with the same `expectedSeq` then gets a conflict, and the caller reads the log.
 */
export interface EventLog<E = unknown> {
  append(request: AppendRequest<E>): Promise<AppendResult<E>>;
  read(runId: string, fromSeq?: number): Promise<StoredEvent<E>[]>;
  head(runId: string): Promise<{ seq: number; hash: string } | undefined>;
  row(runId: string): Promise<RunRow | undefined>;
  /** The snapshot of the last append, after its whole chain was verified. A store may have none. */
  snapshot(runId: string): Promise<string | undefined>;
  list(query?: RunQuery): Promise<RunRow[]>;
  count(): Promise<number>;
  verify(runId?: string): Promise<VerifyReport>;
}

export type AppendResult<E> =
  | { readonly ok: true; readonly stored: readonly StoredEvent<E>[] }
  | { readonly ok: false; readonly conflict: "stale_seq" | "lease_lost"; readonly actualSeq: number };

export interface VerifyProblem {
  /** `file`: the database itself; `chain`: an event is not the one that was written; `gap`: a seq is missing. */
  readonly kind:
    | "file"
    | "chain"
    | "gap"
    | "row"
    | "lease"
    | "artifact_missing"
    | "artifact_altered"
    /** The signed heads and the log do not agree. */
    | "head"
    /** Something of a run that no log here names. */
    | "orphan"
    /** Kept work whose objects are gone. */
    | "pin"
    /** An event that a newer program wrote; nothing was altered. */
    | "version";
  readonly runId?: string;
  readonly seq?: number;
  readonly problem: string;
}

export interface VerifyReport {
  readonly runs: number;
  readonly events: number;
  readonly artifacts: number;
  readonly problems: readonly VerifyProblem[];
  /** Artifacts that no event references: a crash or the removal of a run leaves them. */
  readonly unnamed?: number;
  /** Notes that are not problems. */
  readonly notes?: readonly string[];
}

/**
 * Content-addressed storage. Writing the same bytes twice makes one artifact. Artifacts are never overwritten. An artifact
 * whose `put` has resolved is durable before any event that is appended later.
 */
export interface Artifacts {
  put(
    bytes: Uint8Array | string,
    about: { kind: ArtifactKind; mediaType: string; summary: string },
  ): Promise<ArtifactRef>;
  has(ref: string): Promise<boolean>;
  /** Fails when the bytes no longer match their hash. */
  read(ref: string): Promise<Uint8Array>;
  slice(ref: string, offset: number, length: number): Promise<{ bytes: Uint8Array; total: number }>;
  /** Makes every `put` durable. An append does this first. */
  settle(): Promise<void>;
}

/** One process at a time can advance a run. A dead or expired holder's lease can be taken over; the token then grows. */
export interface Leases {
  acquire(runId: string, owner: LeaseOwner, ttlMs: number): Promise<LeaseResult>;
  /** False when the lease is no longer the caller's. */
  renew(runId: string, token: number, ttlMs: number): Promise<boolean>;
  release(runId: string, token: number): Promise<void>;
  /**
   * Called right before an effect outside the store. Runs `work` while no other process can append to the run or take its
   * lease, provided that the token still holds the run and its log ends at `seq`. `work` may run twice.
   */
  fence(runId: string, token: number, seq: number, work: () => void): Promise<FenceAnswer>;
  holder(runId: string): Promise<Lease | undefined>;
}

/** Outcomes that are not in the log yet, stored outside the store's own locks. Durable when `put` returns. */
export interface Spool {
  put(runId: string, key: string, value: unknown): void;
  find(runId: string, key: string): unknown;
  drop(runId: string, key: string): void;
}

/** `moved`: the log has newer events than the caller has read. */
type FenceAnswer = "done" | "lease_lost" | "moved";

export interface LeaseOwner {
  readonly pid: number;
  /** Start time of the process by the system, so that a reused pid is not mistaken for the owner. */
  readonly startedAt: string;
  readonly host: string;
}

export interface Lease {
  readonly runId: string;
  readonly token: number;
  readonly owner: LeaseOwner;
  readonly expiresAt: number;
}

export type LeaseResult =
  | { readonly ok: true; readonly lease: Lease; readonly tookOver?: Lease }
  | { readonly ok: false; readonly holder: Lease };

/** An open store. A store opened read-only creates and changes nothing; reading works while another process writes. */
export interface Store<E = unknown> {
  readonly log: EventLog<E>;
  readonly artifacts: Artifacts;
  readonly leases: Leases;
  close(): Promise<void>;
}

/** The result of copying the runs of one store into another. */
export interface StoreCopied {
  readonly runs: number;
  readonly events: number;
  readonly artifacts: number;
  /** Runs that were left out, each with the reason. */
  readonly skipped: readonly { readonly runId: string; readonly why: string }[];
  readonly source: VerifyReport;
  readonly destination: VerifyReport;
}

/** Derived data in the store: only the version that wrote it can read it. */
export const writeVersioned = (version: string, value: object): string => JSON.stringify({ version, value });

export function readVersioned<T>(version: string | undefined, text: string | undefined): T | undefined {
  if (version === undefined || text === undefined) return undefined;
  const stored = JSON.parse(text) as { readonly version: string; readonly value: T };
  return stored.version === version ? stored.value : undefined;
}

/** A run in the queue of one machine. */
export interface QueuedRun {
  readonly runId: string;
  readonly repo: string;
  readonly addedAt: number;
  /** Tries that ended with a failure, one after the other. */
  readonly failures: number;
  /** The message of the last failure. */
  readonly trouble: string | null;
  /** It is not tried before this time. */
  readonly notBefore: number;
  /** The process that advances it. */
  readonly owner: LeaseOwner | null;
}
