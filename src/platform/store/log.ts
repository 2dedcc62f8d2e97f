// The append-only log: one transaction holds the events, their hashes, the lease check and the run's row.
import {
  FailureError,
  fail,
  type AppendRequest,
  type AppendResult,
  type EventLog,
  type StoredEvent,
} from "../../core/contract/index.ts";
import { canonicalJson, eventHash, genesis } from "./chain.ts";
import type { Database, Immediate } from "./database.ts";
import { corrupt } from "./failures.ts";
import { currentToken } from "./leases.ts";
import { checkRunId } from "./ids.ts";
import {
  listRows,
  readCheckedRow,
  readSnapshot,
  readHead,
  readRow,
  writeRow,
  type LogHead,
  type HeadedRow,
} from "./rows.ts";

type LogWithoutVerify<E> = Omit<Immediate<EventLog<E>>, "verify">;

/** A log is for facts; anything bigger belongs in an artifact. */
const longestEvent = 1_048_576;

const insert = "INSERT INTO events (run_id, seq, at, event, hash) VALUES (?, ?, ?, ?, ?)";
const select = "SELECT seq, at, event, hash FROM events WHERE run_id = ? AND seq >= ? ORDER BY seq";

/** `settle` makes artifacts durable that events may name. It runs before the transaction, so that no writer waits for it. */
export function createLog<E>(database: Database): LogWithoutVerify<E> {
  const written = new Map<string, LogHead>();
  return {
    append: (request) => {
      const { runId } = request;
      const ready = prepare(request);
      const [result, head] = database.write(() => append<E>(database, ready, written.get(runId)));
      if (head) written.set(runId, head);
      return result;
    },
    read: (runId, fromSeq = 1) => read<E>(database, checkRunId(runId), fromSeq),
    head: (runId) => {
      const found = headOf(database, checkRunId(runId), written.get(runId));
      return found && { seq: found.seq, hash: found.hash };
    },
    row: (runId) => readCheckedRow(database, checkRunId(runId))?.row,
    snapshot: (runId) => {
      // Reading compares every hash of the chain.
      const last = read<E>(database, checkRunId(runId), 1).at(-1);
      const found = readRow(database, runId);
      return found && found.head === last?.hash ? readSnapshot(database, found) : undefined;
    },
    list: (query) => listRows(database, query),
    count: () => Number(database.get("SELECT count(*) AS n FROM runs")?.["n"]),
  };
}

export interface Ready<E> extends AppendRequest<E> {
  readonly texts: readonly string[];
}

export function prepare<E>(request: AppendRequest<E>): Ready<E> {
  checkRunId(request.runId);
  checkRequest(request);
  return { ...request, texts: request.events.map(eventText) };
}

function append<E>(database: Database, request: Ready<E>, written: LogHead | undefined): [AppendResult<E>, LogHead?] {
  const { runId, expectedSeq, at, texts, events } = request;
  const known = headOf(database, runId, written);
  const actualSeq = known?.seq ?? 0;
  if (request.lease !== undefined && currentToken(database, runId) !== request.lease)
    return [{ ok: false, conflict: "lease_lost", actualSeq }];
  if (actualSeq !== expectedSeq) return [{ ok: false, conflict: "stale_seq", actualSeq }];
  let prevHash = known?.hash ?? genesis(runId);
  const stored = texts.map((text, index): StoredEvent<E> => {
    const seq = actualSeq + 1 + index;
    const hash = eventHash(runId, seq, at, text, prevHash);
    database.run(insert, runId, seq, at, text, hash);
    const record = { runId, seq, at, event: events[index] as E, prevHash, hash };
    prevHash = hash;
    return record;
  });
  const seq = actualSeq + stored.length;
  const row = { ...request.row, seq, updatedAt: at };
  const digest = writeRow(database, row, prevHash, request.snapshot);
  return [
    { ok: true, stored },
    { seq, hash: prevHash, digest },
  ];
}

/** The end of a log as its row names it. One that this handle wrote itself was hashed then. */
function headOf(database: Database, runId: string, written: LogHead | undefined): LogHead | undefined {
  const end = written && readHead(database, runId);
  if (end && end.digest === written.digest && end.hash === written.hash && end.seq === written.seq) return end;
  const found = readRow(database, runId);
  return found && { seq: sound(database, found).row.seq, hash: found.head, digest: "" };
}

function checkRequest(request: AppendRequest<unknown>): void {
  const { runId, row, at, expectedSeq, events } = request;
  if (row.runId !== runId) fail("invalid_input", `The row names ${row.runId}, the events belong to ${runId}.`);
  if (events.length === 0) fail("invalid_input", `An append to ${runId} must hold at least one event.`);
  for (const [name, value] of Object.entries({ at, expectedSeq, createdAt: row.createdAt }))
    if (!Number.isSafeInteger(value) || value < 0)
      fail("invalid_input", `${name} must be a whole number that is not negative, not ${value}.`);
}

function eventText(event: unknown): string {
  const text = canonicalJson(event);
  if (Buffer.byteLength(text) > longestEvent)
    fail("invalid_input", `An event may hold ${longestEvent} bytes, not ${Buffer.byteLength(text)}.`, {
      remedy: "Put the big part in an artifact and its reference in the event.",
    });
  return text;
}

/** Reads and checks: returns the events as written, or a failure that names the altered one. */
function read<E>(database: Database, runId: string, fromSeq: number): StoredEvent<E>[] {
  const known = readRow(database, runId);
  if (!known) return [];
  const { row } = sound(database, known);
  const from = Math.max(1, Math.floor(fromSeq));
  let prevHash = from === 1 ? genesis(runId) : undefined;
  let seq = from === 1 ? 1 : from - 1;
  const events: StoredEvent<E>[] = [];
  for (const found of database.iterate(select, runId, seq)) {
    const { at, event, hash } = found as { at: number; event: string; hash: string };
    if (found["seq"] !== seq) damaged(database, runId, `event ${seq} is missing`);
    if (prevHash !== undefined) {
      if (eventHash(runId, seq, at, event, prevHash) !== hash) damaged(database, runId, `event ${seq} was altered`);
      events.push({ runId, seq, at, event: JSON.parse(event) as E, prevHash, hash });
    }
    if (seq === row.seq && hash !== known.head) damaged(database, runId, `event ${seq} is not the one its row names`);
    prevHash = hash;
    seq += 1;
  }
  // The row was read first, so a writer in between can only have added events.
  if (from <= row.seq && seq <= row.seq) damaged(database, runId, `its log ends before event ${row.seq}`);
  return events;
}

function sound(database: Database, found: HeadedRow): HeadedRow {
  return found.row.damaged === undefined ? found : damaged(database, found.row.runId, found.row.damaged);
}

function damaged(database: Database, runId: string, what: string): never {
  throw new FailureError(corrupt(database.where, `run ${runId}: ${what}`, { runId }));
}
