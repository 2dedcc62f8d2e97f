// The hash chain of a run: each event covers the one before it, the first covers the run's own name.
import type { RunRow } from "../../core/contract/index.ts";
import { canonicalJson } from "./canonical.ts";
import { sha256 } from "./hashing.ts";

/** The previous hash of the first event. It holds the run's name, so that no log can be passed off as another's. */
export function genesis(runId: string): string {
  return sha256(`thehood log 1\n${runId}`);
}

/** `text` is the canonical JSON of the event, exactly as stored. */
export function eventHash(runId: string, seq: number, at: number, text: string, prevHash: string): string {
  return sha256(`event\n${runId}\n${seq}\n${at}\n${prevHash}\n${text}`);
}

/** The row follows from the log; its digest ties it to the head it was written with. */
export function rowDigest(row: Omit<RunRow, "damaged" | "brief">, brief: string, head: string): string {
  const { runId, createdAt, updatedAt, seq, goal, mode, state } = row;
  return sha256(`row\n${canonicalJson([runId, createdAt, updatedAt, seq, goal, mode, state, brief, head])}`);
}

export function leaseDigest(fields: readonly (string | number)[]): string {
  return sha256(`lease\n${canonicalJson(fields)}`);
}
