// The queue of this machine: the runs of one user in the order in which they get their turn. A run under way is a lease of
// the process that advances it, so a killed process frees its place at once, and a reboot frees all.
import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { Clock, QueuedRun } from "../../../core/contract/index.ts";
import { thisProcess } from "../../system/index.ts";
import { connectToRead } from "../connect-to-read.ts";
import { connect, type Database } from "../database.ts";
import { checkRunId } from "../ids.ts";
import { acquireWithin, createLeases } from "../leases.ts";
import { leasesTable } from "../schema.ts";

export interface Slot {
  release(): void;
}

export interface QueueFile {
  /** At the end; a run that is there already keeps its turn, may be tried at once, and is from now on in this folder. */
  add(runId: string, repo: string): void;
  list(): QueuedRun[];
  /** Before all others, and may be tried at once; false when it is not there. */
  top(runId: string): boolean;
  remove(runId: string): boolean;
  paused(): boolean;
  pause(paused: boolean): void;
  /**
   * A place among at most `parallel` runs under way; undefined while all are taken, another process has the run, the queue
   * is paused, or the run was taken out of it.
   */
  take(runId: string, parallel: number): Slot | undefined;
  noteFailure(runId: string, message: string, notBefore: number): void;
  /** Trouble around the run: it is not tried before this time, and the try does not count as a failure of the run. */
  notePause(runId: string, message: string, notBefore: number): void;
  noteSuccess(runId: string): void;
  close(): void;
}

const schema = {
  applicationId: 0x54485155,
  migrations: [
    `
CREATE TABLE entries (
  run_id TEXT NOT NULL PRIMARY KEY,
  repo TEXT NOT NULL,
  turn INTEGER NOT NULL,
  added_at INTEGER NOT NULL,
  failures INTEGER NOT NULL,
  trouble TEXT,
  not_before INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE settings (name TEXT NOT NULL PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
${leasesTable}`,
  ],
};

/** On this machine the process decides, not the time. */
const ttlMs = 60_000;

const addEntry = `INSERT INTO entries SELECT ?, ?, coalesce(max(turn), 0) + 1, ?, 0, NULL, 0 FROM entries WHERE true
ON CONFLICT (run_id) DO UPDATE SET repo = excluded.repo, failures = 0, trouble = NULL, not_before = 0`;
const toTop = `UPDATE entries SET turn = (SELECT min(turn) FROM entries) - 1, failures = 0, trouble = NULL, not_before = 0
WHERE run_id = ?`;
const setPause = `INSERT INTO settings VALUES ('paused', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`;

const busyTimeoutMs = 30_000;

function openToWrite(file: string): Database {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  return connect({ file, mode: "write", busyTimeoutMs, schema });
}

/** A queue that is not there reads as an empty one; an older file is brought up to date by a writer. */
function openToRead(file: string): Database {
  if (!existsSync(file)) return connect({ file: ":memory:", mode: "write", busyTimeoutMs, schema });
  const database = connectToRead({ file, busyTimeoutMs, schema });
  if (database.version === schema.migrations.length) return database;
  database.close();
  return openToWrite(file);
}

/** `read` also works on a disk that is full. */
export function openQueueFile(file: string, clock: Clock, mode: "write" | "read" = "write"): QueueFile {
  const database = mode === "write" ? openToWrite(file) : openToRead(file);
  const leases = createLeases(database, clock);
  const has = (runId: string): boolean =>
    database.get("SELECT 1 AS there FROM entries WHERE run_id = ?", checkRunId(runId)) !== undefined;
  const paused = (): boolean => database.get("SELECT value FROM settings WHERE name = 'paused'")?.["value"] === 1;
  const changeOne = (sql: string, runId: string): boolean =>
    database.write(() => {
      const there = has(runId);
      if (there) database.run(sql, runId);
      return there;
    });
  return {
    add: (runId, repo) => database.write(() => database.run(addEntry, checkRunId(runId), repo, clock.now())),
    list: () =>
      database.all("SELECT * FROM entries ORDER BY turn, run_id").map((row) => ({
        runId: String(row["run_id"]),
        repo: String(row["repo"]),
        addedAt: Number(row["added_at"]),
        failures: Number(row["failures"]),
        trouble: row["trouble"] === null ? null : String(row["trouble"]),
        notBefore: Number(row["not_before"]),
        owner: leases.holder(String(row["run_id"]))?.owner ?? null,
      })),
    top: (runId) => changeOne(toTop, runId),
    remove: (runId) => changeOne("DELETE FROM entries WHERE run_id = ?", runId),
    paused,
    pause: (paused) => database.write(() => database.run(setPause, paused ? 1 : 0)),
    take: (runId, parallel) =>
      database.write(() => (has(runId) && !paused() ? take(database, clock, leases, runId, parallel) : undefined)),
    noteFailure: (runId, message, notBefore) =>
      database.write(() =>
        database.run(
          "UPDATE entries SET failures = failures + 1, trouble = ?, not_before = ? WHERE run_id = ?",
          message,
          notBefore,
          runId,
        ),
      ),
    notePause: (runId, message, notBefore) =>
      database.write(() =>
        database.run("UPDATE entries SET trouble = ?, not_before = ? WHERE run_id = ?", message, notBefore, runId),
      ),
    noteSuccess: (runId) =>
      database.write(() =>
        database.run("UPDATE entries SET failures = 0, trouble = NULL, not_before = 0 WHERE run_id = ?", runId),
      ),
    close: () => database.close(),
  };
}

/** Counted and taken in one transaction of the caller: two processes cannot both get the last place. */
function take(
  database: Database,
  clock: Clock,
  leases: ReturnType<typeof createLeases>,
  runId: string,
  parallel: number,
): Slot | undefined {
  const others = database.all("SELECT run_id FROM leases WHERE held = 1 AND run_id <> ?", runId);
  const busy = others.filter((row) => leases.holder(String(row["run_id"])) !== undefined).length;
  if (busy >= parallel) return undefined;
  const taken = acquireWithin(database, clock, runId, thisProcess(), ttlMs);
  if (!taken.ok) return undefined;
  const { token } = taken.lease;
  return { release: () => leases.release(runId, token) };
}
