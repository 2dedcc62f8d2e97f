// The tables of the store, and the one table-driven way from an older version to this one.

/** Marks the file as ours, so that another program's database is not taken for a store. */
const applicationId = 0x54484f44;

/** One row for each run that a process has held. */
export const leasesTable = `CREATE TABLE leases (
  run_id TEXT NOT NULL PRIMARY KEY,
  token INTEGER NOT NULL,
  held INTEGER NOT NULL,
  pid INTEGER NOT NULL,
  started_at TEXT NOT NULL,
  host TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  digest TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;

/** Step n takes a file from version n to n + 1. A released step is never edited. */
const migrations: readonly string[] = [
  `
CREATE TABLE events (
  run_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  event TEXT NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (run_id, seq)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER events_insert BEFORE INSERT ON events
WHEN new.seq <> 1 + coalesce((SELECT max(seq) FROM events WHERE run_id = new.run_id), 0)
BEGIN SELECT raise(ABORT, 'an event can only be appended at the end of its log'); END;
CREATE TRIGGER events_update BEFORE UPDATE ON events
BEGIN SELECT raise(ABORT, 'the log is append-only'); END;
CREATE TRIGGER events_delete BEFORE DELETE ON events
BEGIN SELECT raise(ABORT, 'the log is append-only'); END;
CREATE TABLE runs (
  run_id TEXT NOT NULL PRIMARY KEY,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  head TEXT NOT NULL,
  goal TEXT NOT NULL,
  mode TEXT NOT NULL,
  state TEXT NOT NULL,
  brief TEXT NOT NULL,
  digest TEXT NOT NULL,
  snapshot TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX runs_by_time ON runs (updated_at, run_id);
CREATE INDEX runs_by_state ON runs (state, updated_at, run_id);
CREATE TRIGGER runs_delete BEFORE DELETE ON runs
BEGIN SELECT raise(ABORT, 'a run is never deleted'); END;
${leasesTable}`,
];

export const schemaVersion = migrations.length;

export const storeSchema = { applicationId, migrations };
