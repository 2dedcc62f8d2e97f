// The append-only log on PostgreSQL: an append is one round trip and one transaction; the hashes are computed here.
import {
  FailureError,
  type AppendRequest,
  type AppendResult,
  type EventLog,
  type RunQuery,
  type RunRow,
  type StoredEvent,
} from "../../../core/contract/index.ts";
import { canonicalJson, eventHash, genesis, rowDigest } from "../chain.ts";
import { corrupt } from "../failures.ts";
import { prepare } from "../log.ts";
import { checkRunId } from "../ids.ts";
import { checkRowSizes, parseRow } from "../rows.ts";
import type { Connection } from "./connection.ts";

const columns = "run_id, created_at, updated_at, seq, head, goal, mode, state, brief, digest";
/** Events are read in pages, so that a long log is never in memory twice. */
const page = 1_000;

export interface SharedTables {
  readonly connection: Connection;
  readonly schema: string;
  /** The repository whose runs these are; undefined for all of the team. */
  readonly repo: string | undefined;
}

/** The last event of each run that this handle wrote or read. */
type Heads = Map<string, { readonly seq: number; readonly hash: string }>;

export function createSharedLog<E>(tables: SharedTables): Omit<EventLog<E>, "verify"> {
  const { connection, schema, repo } = tables;
  const heads: Heads = new Map();
  return {
    append: (request) => append(tables, heads, request),
    read: async (runId, fromSeq = 1) => {
      const events: StoredEvent<E>[] = [];
      for await (const stored of readChecked<E>(tables, checkRunId(runId), Math.max(1, Math.floor(fromSeq))))
        events.push(stored);
      const last = events.at(-1);
      if (last) heads.set(runId, { seq: last.seq, hash: last.hash });
      return events;
    },
    head: async (runId) => {
      const found = await postgresRow(tables, checkRunId(runId));
      if (!found) return undefined;
      if (found.row.damaged !== undefined) damaged(tables, runId, found.row.damaged);
      return { seq: found.row.seq, hash: found.head };
    },
    row: async (runId) => (await postgresRow(tables, checkRunId(runId)))?.row,
    snapshot: () => Promise.resolve(undefined),
    list: (query) => listRuns(tables, query),
    count: async () => {
      const only = repo === undefined ? "" : "WHERE repo = $1";
      const sql = `SELECT coalesce(sum(runs), 0)::bigint AS n FROM ${schema}.counts ${only}`;
      return Number((await connection.all(sql, repo === undefined ? [] : [repo]))[0]?.["n"]);
    },
  };
}

async function append<E>(tables: SharedTables, heads: Heads, request: AppendRequest<E>): Promise<AppendResult<E>> {
  const { connection, schema, repo } = tables;
  const { runId, expectedSeq, at, events, texts, row } = prepare(request);
  const brief = canonicalJson(row.brief ?? null);
  checkRowSizes(row.goal, brief);
  // The head that this handle wrote or read is enough: the database compares it again.
  const known = heads.get(runId);
  const prev = known?.seq === expectedSeq ? known.hash : await hashAt(tables, runId, expectedSeq);
  let prevHash = prev ?? genesis(runId);
  const stored = texts.map((text, index): StoredEvent<E> => {
    const seq = expectedSeq + 1 + index;
    const hash = eventHash(runId, seq, at, text, prevHash);
    const record = { runId, seq, at, event: events[index] as E, prevHash, hash };
    prevHash = hash;
    return record;
  });
  const seq = expectedSeq + stored.length;
  const digest = rowDigest({ ...row, seq, updatedAt: at }, brief, prevHash);
  const hashes = stored.map(({ hash }) => hash);
  const places = Array.from({ length: 15 }, (_, index) => `$${index + 1}`).join(", ");
  const facts = [runId, expectedSeq, prev ?? "", request.lease ?? null, at, texts, hashes];
  const listed = [repo ?? "", row.createdAt, row.goal, row.mode, row.state, brief, digest];
  const [found] = await connection.once(`SELECT outcome, actual FROM ${schema}.append(${places})`, (again) => [
    ...facts,
    again,
    ...listed,
  ]);
  const outcome = String(found?.["outcome"]);
  if (outcome === "other_head") damaged(tables, runId, `event ${expectedSeq} is not the one that was read`);
  if (outcome === "written") {
    heads.set(runId, { seq, hash: prevHash });
    return { ok: true, stored };
  }
  heads.delete(runId);
  const conflict = outcome as Extract<AppendResult<E>, { ok: false }>["conflict"];
  return { ok: false, conflict, actualSeq: Number(found?.["actual"]) };
}

async function listRuns({ connection, schema, repo }: SharedTables, query: RunQuery = {}): Promise<RunRow[]> {
  const limit = Math.max(0, Math.min(query.limit ?? 50, 1_000));
  const values: (string | number)[] = [];
  const place = (value: string | number) => `$${values.push(value)}`;
  const where = [
    ...(repo === undefined ? [] : [`repo = ${place(repo)}`]),
    ...(query.state === undefined ? [] : [`state = ${place(query.state)}`]),
    ...(query.before
      ? [`(updated_at, run_id) < (${place(query.before.updatedAt)}, ${place(query.before.runId)})`]
      : []),
  ];
  const rows = await connection.all(
    `SELECT ${columns}, (SELECT hash FROM ${schema}.events AS e WHERE e.run_id = r.run_id AND e.seq = r.seq) AS last
     FROM ${schema}.runs AS r ${where.length > 0 ? `WHERE ${where.join(" AND ")}` : ""}
     ORDER BY updated_at DESC, run_id DESC LIMIT ${place(limit)}`,
    values,
  );
  return rows.map((found) => checkTail(parseRow(found, "unhashed"), found["last"]).row);
}

type Headed = ReturnType<typeof parseRow>;

export async function postgresRow(
  { connection, schema, repo }: SharedTables,
  runId: string,
): Promise<Headed | undefined> {
  const own = repo === undefined ? "" : "AND r.repo = $2";
  const [found] = await connection.all(
    `SELECT ${columns}, (SELECT hash FROM ${schema}.events AS e WHERE e.run_id = r.run_id AND e.seq = r.seq) AS last
     FROM ${schema}.runs AS r WHERE run_id = $1 ${own}`,
    repo === undefined ? [runId] : [runId, repo],
  );
  return found && checkTail(parseRow(found), found["last"]);
}

function checkTail(found: Headed, last: unknown): Headed {
  if (found.row.damaged !== undefined || last === found.head) return found;
  const row: RunRow = { ...found.row, damaged: "the last event of its log is missing or altered" };
  return { head: found.head, row };
}

async function hashAt({ connection, schema }: SharedTables, runId: string, seq: number): Promise<string | undefined> {
  if (seq === 0) return undefined;
  const sql = `SELECT hash FROM ${schema}.events WHERE run_id = $1 AND seq = $2`;
  const found = (await connection.all(sql, [runId, seq]))[0]?.["hash"];
  return found === undefined ? undefined : String(found);
}

/** Reads and checks: returns the events as written, or a failure that names the altered one. */
async function* readChecked<E>(tables: SharedTables, runId: string, from: number): AsyncGenerator<StoredEvent<E>> {
  const known = await postgresRow(tables, runId);
  if (!known) return;
  if (known.row.damaged !== undefined) damaged(tables, runId, known.row.damaged);
  let prevHash = from === 1 ? genesis(runId) : undefined;
  let seq = from === 1 ? 1 : from - 1;
  for await (const found of eventRows(tables, runId, seq)) {
    if (found.seq !== seq) damaged(tables, runId, `event ${seq} is missing`);
    if (prevHash !== undefined) {
      if (eventHash(runId, seq, found.at, found.event, prevHash) !== found.hash)
        damaged(tables, runId, `event ${seq} was altered`);
      yield { runId, seq, at: found.at, event: JSON.parse(found.event) as E, prevHash, hash: found.hash };
    }
    if (seq === known.row.seq && found.hash !== known.head)
      damaged(tables, runId, `event ${seq} is not the one its row names`);
    prevHash = found.hash;
    seq += 1;
  }
  if (from <= known.row.seq && seq <= known.row.seq)
    damaged(tables, runId, `its log ends before event ${known.row.seq}`);
}

interface EventRow {
  readonly seq: number;
  readonly at: number;
  readonly event: string;
  readonly hash: string;
}

export async function* eventRows(
  { connection, schema }: SharedTables,
  runId: string,
  from: number,
): AsyncGenerator<EventRow> {
  const sql = `SELECT seq, at, event, hash FROM ${schema}.events WHERE run_id = $1 AND seq >= $2 ORDER BY seq LIMIT ${page}`;
  for (let start = from; ;) {
    const rows = (await connection.all(sql, [runId, start])) as unknown as EventRow[];
    yield* rows;
    if (rows.length < page) return;
    start = (rows.at(-1)?.seq ?? start) + 1;
  }
}

function damaged({ connection }: SharedTables, runId: string, problem: string): never {
  throw new FailureError(corrupt(connection.where, `run ${runId}: ${problem}`, { runId }));
}
