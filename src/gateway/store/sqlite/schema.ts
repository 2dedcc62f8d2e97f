// The tables of the gateway in one file. Sessions, configurations, runs and snapshots are JSON documents with the columns that
// are searched; the ledger and the events have separate columns.
import type { Schema } from "../../../platform/store/index.ts";

const documents = (table: string, more: string): string =>
  `CREATE TABLE ${table} (id TEXT NOT NULL PRIMARY KEY, at INTEGER NOT NULL, data TEXT NOT NULL${more}) STRICT;`;

export const gatewaySchema: Schema = {
  applicationId: 0x54484757,
  migrations: [
    `
${documents("sessions", "")}
CREATE INDEX sessions_by_time ON sessions (at);
${documents("configurations", "")}
${documents("automation_runs", "")}
${documents("snapshots", ", label TEXT NOT NULL UNIQUE")}
CREATE TABLE secrets (
  configuration_id TEXT NOT NULL,
  key TEXT NOT NULL,
  key_id TEXT NOT NULL,
  iv TEXT NOT NULL,
  tag TEXT NOT NULL,
  cipher TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (configuration_id, key)
) STRICT, WITHOUT ROWID;
CREATE TABLE session_tool_invocations (
  session_id TEXT NOT NULL,
  tool_call_id TEXT NOT NULL,
  canonical_tool TEXT NOT NULL,
  args_hash TEXT NOT NULL,
  state TEXT NOT NULL,
  owner TEXT NOT NULL,
  lease_until INTEGER NOT NULL,
  fence INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  effects INTEGER NOT NULL,
  result TEXT,
  started_at INTEGER NOT NULL,
  completed_at INTEGER,
  PRIMARY KEY (session_id, tool_call_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE events (
  session_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  type TEXT NOT NULL,
  data TEXT NOT NULL,
  PRIMARY KEY (session_id, seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE outbox (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  session_id TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  due_at INTEGER NOT NULL
) STRICT;
`,
    `
CREATE INDEX sessions_by_status ON sessions (json_extract(data, '$.status'));
CREATE TABLE session_holds (
  session_id TEXT NOT NULL PRIMARY KEY,
  owner TEXT NOT NULL,
  until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`,
  ],
};
