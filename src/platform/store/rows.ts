// The rows by which runs are listed: written with the events they follow from, never by anyone else.
import { fail, type RunQuery, type RunRow, parseJson } from "../../core/contract/index.ts";
import { canonicalJson, rowDigest } from "./chain.ts";
import type { Database, Row } from "./database.ts";
import { isCorruption } from "./failures.ts";
import { sha256 } from "./hashing.ts";

export interface HeadedRow {
  readonly row: RunRow;
  readonly head: string;
}

/** The part of a row that records where its log ends. */
export interface LogHead {
  readonly seq: number;
  readonly hash: string;
  readonly digest: string;
}

const columns = "run_id, created_at, updated_at, seq, head, goal, mode, state, brief, digest";
const upsert = `INSERT INTO runs (${columns}, snapshot) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (run_id) DO UPDATE SET created_at = excluded.created_at, updated_at = excluded.updated_at,
seq = excluded.seq, head = excluded.head, goal = excluded.goal, mode = excluded.mode,
state = excluded.state, brief = excluded.brief, digest = excluded.digest, snapshot = excluded.snapshot`;

const longestGoal = 8_192;
const longestBrief = 2_048;

/** `brief` is its canonical JSON. */
export function checkRowSizes(goal: string, brief: string): void {
  if (Buffer.byteLength(brief) > longestBrief)
    fail("invalid_input", `The brief of a run may hold ${longestBrief} bytes, not ${Buffer.byteLength(brief)}.`, {
      remedy: "Put long things in an artifact and a reference in the brief.",
    });
  if (Buffer.byteLength(goal) > longestGoal)
    fail("invalid_input", `The goal in a run's row may hold ${longestGoal} bytes, not ${Buffer.byteLength(goal)}.`, {
      remedy: "Keep the whole goal in the first event and a short form in the row.",
    });
}

/** Gives the digest of the written row. */
export function writeRow(database: Database, row: Omit<RunRow, "damaged">, head: string, snapshot?: string): string {
  const brief = canonicalJson(row.brief ?? null);
  checkRowSizes(row.goal, brief);
  const { runId, createdAt, updatedAt, seq, goal, mode, state } = row;
  const digest = rowDigest(row, brief, head);
  database.run(
    upsert,
    runId,
    createdAt,
    updatedAt,
    seq,
    head,
    goal,
    mode,
    state,
    brief,
    digest,
    sealed(head, snapshot),
  );
  return digest;
}

/** A snapshot is stored behind a hash that binds it to the end of its log. */
const sealed = (head: string, text: string | undefined): string | null =>
  text === undefined ? null : `${sha256(`${head}\n${text}`)}\n${text}`;

export function readSnapshot(database: Database, { row, head }: HeadedRow): string | undefined {
  const found = database.get("SELECT snapshot FROM runs WHERE run_id = ?", row.runId)?.["snapshot"];
  if (typeof found !== "string") return undefined;
  const text = found.slice(found.indexOf("\n") + 1);
  return found === sealed(head, text) ? text : undefined;
}

/** Unchecked. */
export function readHead(database: Database, runId: string): LogHead | undefined {
  const found = database.get("SELECT seq, head, digest FROM runs WHERE run_id = ?", runId);
  return found && { seq: Number(found["seq"]), hash: String(found["head"]), digest: String(found["digest"]) };
}

export function readRow(database: Database, runId: string): HeadedRow | undefined {
  const found = database.get(`SELECT ${columns} FROM runs WHERE run_id = ?`, runId);
  return found && parseRow(found);
}

/** Also reports when the last event in the log differs from the one that the row was written with. */
export function readCheckedRow(database: Database, runId: string): HeadedRow | undefined {
  const found = readRow(database, runId);
  return found && checkTail(database, found);
}

export function listRows(database: Database, query: RunQuery = {}): RunRow[] {
  const limit = Math.max(0, Math.min(query.limit ?? 50, 1_000));
  const where: string[] = [];
  const values: (string | number)[] = [];
  if (query.state !== undefined) {
    where.push("state = ?");
    values.push(query.state);
  }
  if (query.before) {
    where.push("(updated_at, run_id) < (?, ?)");
    values.push(query.before.updatedAt, query.before.runId);
  }
  const filter = where.length > 0 ? `WHERE ${where.join(" AND ")}` : "";
  const order = "ORDER BY updated_at DESC, run_id DESC LIMIT ?";
  try {
    return database
      .all(`SELECT ${columns} FROM runs ${filter} ${order}`, ...values, limit)
      .map((found) => checkTail(database, parseRow(found, "unhashed")).row);
  } catch (error) {
    if (!isCorruption(error)) throw error;
    const salvaged = salvageRows(database);
    const from = salvaged.findIndex(({ runId }) => runId === query.before?.runId) + 1;
    return salvaged.slice(from, from + limit);
  }
}

/** When the list itself is damaged: every run that any readable page still names, damaged ones marked. */
function salvageRows(database: Database): RunRow[] {
  return runIdsAnywhere(database).map((runId) => {
    try {
      const found = readCheckedRow(database, runId);
      return found?.row ?? unreadable(runId, "its row is missing");
    } catch (error) {
      if (!isCorruption(error)) throw error;
      return unreadable(runId, "its row cannot be read");
    }
  });
}

export function runIdsAnywhere(database: Database): string[] {
  const found = new Set<string>();
  for (const table of ["runs", "events"])
    for (const direction of ["ASC", "DESC"])
      collect(database, `SELECT DISTINCT run_id FROM ${table} ORDER BY run_id ${direction}`, found);
  return [...found].sort().reverse();
}

/** Takes the rows before the damaged page; the other direction brings the rows behind it. */
function collect(database: Database, sql: string, into: Set<string>): void {
  try {
    for (const row of database.iterate(sql)) into.add(String(row["run_id"]));
  } catch (error) {
    if (!isCorruption(error)) throw error;
  }
}

function checkTail(database: Database, found: HeadedRow): HeadedRow {
  if (found.row.damaged !== undefined) return found;
  try {
    const sql = "SELECT hash FROM events WHERE run_id = ? AND seq = ?";
    const last = database.get(sql, found.row.runId, found.row.seq);
    if (last?.["hash"] === found.head) return found;
    return mark(found, "the last event of its log is missing or altered");
  } catch (error) {
    if (!isCorruption(error)) throw error;
    return mark(found, "the end of its log cannot be read");
  }
}

/** A list does not hash: that its rows are the written ones is asked of `row`, `read`, `append` and `verify`. */
export function parseRow(found: Row, check: "hashed" | "unhashed" = "hashed"): HeadedRow {
  const briefText = String(found["brief"]);
  const row = {
    runId: String(found["run_id"]),
    createdAt: Number(found["created_at"]),
    updatedAt: Number(found["updated_at"]),
    seq: Number(found["seq"]),
    goal: String(found["goal"]),
    mode: String(found["mode"]),
    state: String(found["state"]),
  };
  const head = String(found["head"]);
  const brief = parseJson(briefText);
  if (brief === undefined || (check === "hashed" && rowDigest(row, briefText, head) !== found["digest"]))
    return { row: { ...row, brief: null, damaged: "its row was altered" }, head };
  return { row: { ...row, brief }, head };
}

function mark(found: HeadedRow, damaged: string): HeadedRow {
  return { head: found.head, row: { ...found.row, damaged } };
}

function unreadable(runId: string, damaged: string): RunRow {
  const unknown = { createdAt: 0, updatedAt: 0, seq: 0, goal: "", mode: "", state: "damaged", brief: null };
  return { runId, ...unknown, damaged };
}
