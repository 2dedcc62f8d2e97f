// The ports of the store: an append-only log of events, artifacts by hash, leases on runs.
import type { ArtifactKind, ArtifactRef } from "./artifact.ts";

/** An event as it lies in the log. `hash` covers everything else in the record and the hash before it. */
export interface StoredEvent<E = unknown> {
  readonly runId: string;
  readonly seq: number;
  readonly at: number;
  readonly event: E;
  readonly prevHash: string;
  readonly hash: string;
}

/** The row by which runs are listed: written in the same transaction as the events it follows from. */
export interface RunRow {
  readonly runId: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly seq: number;
  readonly goal: string;
  readonly mode: string;
  readonly state: string;
  /** What the list view needs beyond this, as JSON, at most 2 kB. */
  readonly brief: unknown;
  /** Set when the row or the end of its log was found altered or unreadable: what is wrong, in one line. */
  readonly damaged?: string;
}

export interface AppendRequest<E> {
  readonly runId: string;
  /** The seq of the last event the writer has seen; 0 for a new run. */
  readonly expectedSeq: number;
  readonly at: number;
  readonly events: readonly E[];
  readonly row: Omit<RunRow, "seq" | "updatedAt" | "damaged">;
  /** The fencing token of the writer's lease; a writer whose lease was taken over is refused. */
  readonly lease?: number;
}

/** The only writer of run state. `append` is acknowledged when, and only when, the events are durable. */
export interface EventLog<E = unknown> {
  append(request: AppendRequest<E>): AppendResult<E>;
  read(runId: string, fromSeq?: number): StoredEvent<E>[];
  head(runId: string): { seq: number; hash: string } | undefined;
  row(runId: string): RunRow | undefined;
  list(query?: { limit?: number; before?: { updatedAt: number; runId: string }; state?: string }): RunRow[];
  count(): number;
  verify(runId?: string): VerifyReport;
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
}

/**
 * Bytes in, name out. Writing the same bytes twice is one file. Never overwritten. What was put is durable before
 * any event that is appended later.
 */
export interface Artifacts {
  put(
    bytes: Uint8Array | string,
    about: { kind: ArtifactKind; mediaType: string; summary: string },
  ): ArtifactRef;
  has(ref: string): boolean;
  /** Refuses bytes that no longer match their name. */
  read(ref: string): Uint8Array;
  slice(ref: string, offset: number, length: number): { bytes: Uint8Array; total: number };
}

/** One advancing process a run. A dead or expired holder's lease can be taken over; the token then grows. */
export interface Leases {
  acquire(runId: string, owner: LeaseOwner, ttlMs: number): LeaseResult;
  renew(runId: string, token: number, ttlMs: number): boolean;
  release(runId: string, token: number): void;
  holder(runId: string): Lease | undefined;
}

export interface LeaseOwner {
  readonly pid: number;
  /** Start time of the process as the system tells it, so that a reused pid is not taken for the owner. */
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

/** One open store. A store opened to read creates and changes nothing; reading works while another process writes. */
export interface Store<E = unknown> {
  readonly log: EventLog<E>;
  readonly artifacts: Artifacts;
  readonly leases: Leases;
  close(): void;
}
