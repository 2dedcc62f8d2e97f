// The tables of the shared store. Each team has a schema of its own, so that the rights of the database part the teams.
import { fail } from "../../../core/contract/index.ts";
import { holdArtifact, removeRuns } from "./removal-functions.ts";

/** `thehood`, or `thehood_<team>`: safe to be written into SQL, because only this grammar passes. */
export function schemaOf(team: string | undefined): string {
  if (team === undefined) return "thehood";
  if (/^[a-z][a-z0-9_]{0,40}$/.test(team)) return `thehood_${team}`;
  return fail("invalid_config", `"${team.slice(0, 60)}" cannot name a team.`, {
    remedy: "A team's name begins with a letter and holds lower case letters, digits and _.",
  });
}

/** Step n takes a schema from version n to n + 1, forward only. A released step is never edited. */
export const migrations: readonly ((schema: string) => string)[] = [
  (s) => `
CREATE TABLE ${s}.events (
  run_id text NOT NULL, seq bigint NOT NULL, at bigint NOT NULL, event text NOT NULL, hash text NOT NULL,
  PRIMARY KEY (run_id, seq)
);
CREATE TABLE ${s}.runs (
  run_id text PRIMARY KEY, repo text NOT NULL, created_at bigint NOT NULL, updated_at bigint NOT NULL,
  seq bigint NOT NULL, head text NOT NULL, goal text NOT NULL, mode text NOT NULL, state text NOT NULL,
  brief text NOT NULL, digest text NOT NULL
);
CREATE INDEX runs_by_time ON ${s}.runs (updated_at, run_id);
CREATE INDEX runs_by_state ON ${s}.runs (state, updated_at, run_id);
CREATE INDEX runs_by_repo ON ${s}.runs (repo, updated_at, run_id);
CREATE TABLE ${s}.counts (repo text PRIMARY KEY, runs bigint NOT NULL);
CREATE TABLE ${s}.leases (
  run_id text PRIMARY KEY, token bigint NOT NULL, held boolean NOT NULL, pid bigint NOT NULL,
  started_at text NOT NULL, host text NOT NULL, expires_at bigint NOT NULL
);
CREATE TABLE ${s}.artifacts (name text PRIMARY KEY, bytes bigint NOT NULL);
CREATE TABLE ${s}.artifact_parts (
  name text NOT NULL, part integer NOT NULL, data bytea NOT NULL, PRIMARY KEY (name, part)
);
ALTER TABLE ${s}.artifact_parts ALTER COLUMN data SET STORAGE EXTERNAL;

CREATE FUNCTION ${s}.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'the table % is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege'; END $$;
${["events", "artifacts", "artifact_parts"].map((table) => appendOnly(s, table)).join("\n")}
REVOKE DELETE, TRUNCATE ON ${s}.runs FROM CURRENT_USER;
CREATE TRIGGER no_removal BEFORE DELETE OR TRUNCATE ON ${s}.runs
  FOR EACH STATEMENT EXECUTE FUNCTION ${s}.refuse_change();

CREATE FUNCTION ${s}.append(
  p_run text, p_expected bigint, p_prev text, p_lease bigint, p_at bigint, p_events text[], p_hashes text[],
  p_again boolean, p_repo text, p_created bigint, p_goal text, p_mode text, p_state text, p_brief text, p_digest text,
  OUT outcome text, OUT actual bigint
) LANGUAGE plpgsql AS $$
DECLARE
  n integer := cardinality(p_events);
  known_head text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('${s} ' || p_run, 0));
  SELECT seq, head INTO actual, known_head FROM ${s}.runs WHERE run_id = p_run;
  actual := coalesce(actual, 0);
  -- The answer to the first try was lost: its last event tells whether it was written.
  IF p_again AND EXISTS (
    SELECT 1 FROM ${s}.events WHERE run_id = p_run AND seq = p_expected + n AND hash = p_hashes[n]
  ) THEN outcome := 'written'; RETURN; END IF;
  IF p_lease IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM ${s}.leases WHERE run_id = p_run AND token = p_lease AND held FOR SHARE
  ) THEN outcome := 'lease_lost'; RETURN; END IF;
  IF actual <> p_expected THEN outcome := 'stale_seq'; RETURN; END IF;
  IF actual > 0 AND known_head <> p_prev THEN outcome := 'other_head'; RETURN; END IF;
  INSERT INTO ${s}.events (run_id, seq, at, event, hash)
    SELECT p_run, p_expected + i, p_at, p_events[i], p_hashes[i] FROM generate_subscripts(p_events, 1) AS i;
  IF actual = 0 THEN
    INSERT INTO ${s}.runs VALUES
      (p_run, p_repo, p_created, p_at, n, p_hashes[n], p_goal, p_mode, p_state, p_brief, p_digest);
    INSERT INTO ${s}.counts VALUES (p_repo, 1) ON CONFLICT (repo) DO UPDATE SET runs = counts.runs + 1;
  ELSE
    UPDATE ${s}.runs SET created_at = p_created, updated_at = p_at, seq = p_expected + n, head = p_hashes[n],
      goal = p_goal, mode = p_mode, state = p_state, brief = p_brief, digest = p_digest WHERE run_id = p_run;
  END IF;
  outcome := 'written';
END $$;

CREATE FUNCTION ${s}.acquire(
  p_run text, p_pid bigint, p_started text, p_host text, p_ttl bigint, p_now bigint, p_dead bigint
) RETURNS TABLE (ok boolean, new_token bigint, new_expiry bigint, old_token bigint, old_held boolean,
  old_pid bigint, old_started text, old_host text, old_expiry bigint) LANGUAGE plpgsql AS $$
DECLARE
  moment bigint := coalesce(p_now, (extract(epoch FROM clock_timestamp()) * 1000)::bigint);
  known record;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('${s} ' || p_run, 0));
  SELECT * INTO known FROM ${s}.leases AS l WHERE l.run_id = p_run FOR UPDATE;
  ok := NOT (FOUND AND known.held AND moment < known.expires_at AND known.token IS DISTINCT FROM p_dead);
  new_token := coalesce(known.token, 0) + 1;
  new_expiry := moment + p_ttl;
  IF ok THEN
    INSERT INTO ${s}.leases VALUES (p_run, new_token, true, p_pid, p_started, p_host, new_expiry)
    ON CONFLICT (run_id) DO UPDATE SET token = excluded.token, held = true, pid = excluded.pid,
      started_at = excluded.started_at, host = excluded.host, expires_at = excluded.expires_at;
  END IF;
  old_token := known.token; old_held := known.held; old_pid := known.pid; old_started := known.started_at;
  old_host := known.host; old_expiry := known.expires_at;
  RETURN NEXT;
END $$;
`,
  // The fleet: runs that any worker may advance, the work of theirs that moves along, and the workers.
  (s) => `
CREATE TABLE ${s}.remote_runs (
  run_id text PRIMARY KEY, repo text NOT NULL, url text NOT NULL, base text NOT NULL, needs text NOT NULL,
  made_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE ${s}.luggage (
  run_id text NOT NULL, n bigint GENERATED ALWAYS AS IDENTITY, artifact text NOT NULL, PRIMARY KEY (run_id, n)
);
CREATE TABLE ${s}.workers (
  id text PRIMARY KEY, host text NOT NULL, pid bigint NOT NULL, labels text[] NOT NULL, doing text[] NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(), beat_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE ${s}.ticks (job text PRIMARY KEY, at timestamptz NOT NULL DEFAULT now());
`,
  // The gateway: documents with the few columns that are searched; calls and events have columns of their own.
  (s) => `
${["sessions", "configurations", "automation_runs", "snapshots"].map((name) => documents(s, name)).join("\n")}
CREATE INDEX gateway_sessions_by_status ON ${s}.gateway_sessions ((data::json->>'status'));
ALTER TABLE ${s}.gateway_snapshots ADD COLUMN label text GENERATED ALWAYS AS (data::json->>'label') STORED UNIQUE;
CREATE TABLE ${s}.gateway_secrets (
  configuration_id text NOT NULL, key text NOT NULL, key_id text NOT NULL, iv text NOT NULL, tag text NOT NULL,
  cipher text NOT NULL, updated_at bigint NOT NULL, PRIMARY KEY (configuration_id, key)
);
CREATE TABLE ${s}.gateway_calls (
  session_id text NOT NULL, call_id text NOT NULL, tool text NOT NULL, args_hash text NOT NULL, state text NOT NULL,
  owner text NOT NULL, claim text NOT NULL, lease_until bigint NOT NULL, fence bigint NOT NULL, attempts bigint NOT NULL,
  effects bigint NOT NULL, result text, started_at bigint NOT NULL, completed_at bigint, PRIMARY KEY (session_id, call_id)
);
CREATE TABLE ${s}.gateway_event_heads (session_id text PRIMARY KEY, seq bigint NOT NULL, batch text NOT NULL);
CREATE TABLE ${s}.gateway_events (
  session_id text NOT NULL, seq bigint NOT NULL, at bigint NOT NULL, type text NOT NULL, data text NOT NULL,
  PRIMARY KEY (session_id, seq)
);
CREATE TABLE ${s}.gateway_outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, session_id text NOT NULL, attempts bigint NOT NULL, due_at bigint NOT NULL
);
CREATE TABLE ${s}.gateway_holds (session_id text PRIMARY KEY, owner text NOT NULL, until bigint NOT NULL);
`,
  // The sessions of oracle.
  (s) => `
CREATE TABLE ${s}.oracle_sessions (
  id text PRIMARY KEY, maker text NOT NULL, version bigint NOT NULL DEFAULT 1,
  beat_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE TABLE ${s}.oracle_files (id text NOT NULL, name text NOT NULL, data bytea NOT NULL, PRIMARY KEY (id, name));
`,
  // Runs that are over may leave.
  (s) => `
CREATE TABLE ${s}.unnamed_artifacts (name text PRIMARY KEY, since timestamptz NOT NULL DEFAULT clock_timestamp());
${holdArtifact(s)}
${removeRuns(s)}
`,
  // The reason why a worker could not go on with a run.
  (s) => `
ALTER TABLE ${s}.remote_runs ADD COLUMN trouble text, ADD COLUMN trouble_host text, ADD COLUMN trouble_at timestamptz;
`,
];

const documents = (s: string, name: string): string => `
CREATE TABLE ${s}.gateway_${name} (id text PRIMARY KEY, at bigint NOT NULL, data text NOT NULL);
CREATE INDEX gateway_${name}_by_time ON ${s}.gateway_${name} (at, id);`;

function appendOnly(s: string, table: string): string {
  return `
REVOKE UPDATE, DELETE, TRUNCATE ON ${s}.${table} FROM CURRENT_USER;
CREATE TRIGGER no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON ${s}.${table}
  FOR EACH STATEMENT EXECUTE FUNCTION ${s}.refuse_change();`;
}
