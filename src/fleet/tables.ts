// The fleet's tables in the shared store: the runs that any worker may advance, their packed work, and the workers.
import type { Failure } from "../core/contract/index.ts";
import type { FleetTrouble, FleetWorker, RunWait } from "../operations/index.ts";
import { connectTo, migrate, schemaOf, type Connection } from "../platform/store/postgres/index.ts";

export interface FleetStore {
  readonly url: string;
  readonly team: string | undefined;
}

/** A run that any worker may advance: all its data is in the store or at this address. */
export interface RemoteRun {
  readonly runId: string;
  /** The name of the repository in the store. */
  readonly repo: string;
  /** The address that a worker clones from. */
  readonly url: string;
  readonly base: string;
  /** A label that the worker must have; empty for any worker. */
  readonly needs: string;
}

/** The largest number of runs at once; undefined for no limit. */
export interface FleetLimits {
  readonly perRepository: number | undefined;
  /** Of one provider, in any role. */
  readonly perProvider: number | undefined;
}

/** A worker without a heartbeat for this long does not count. */
const silentSeconds = 30;
const maxTroubles = 20;

export interface FleetTables {
  readonly connection: Connection;
  readonly schema: string;
  note(run: RemoteRun): Promise<void>;
  find(runId: string): Promise<RemoteRun | undefined>;
  /** The runs of the fleet among these, with the trouble of the last try. */
  among(runIds: readonly string[]): Promise<(Pick<RemoteRun, "runId" | "needs"> & Pick<RunWait, "trouble">)[]>;
  pack(runId: string, artifact: string): Promise<void>;
  luggage(runId: string): Promise<string[]>;
  beat(worker: Pick<FleetWorker, "id" | "host" | "pid" | "labels" | "doing">): Promise<void>;
  /** Records that this worker takes a run; false if the limits of the fleet are reached. */
  take(worker: string, runId: string, limits: FleetLimits): Promise<boolean>;
  leave(id: string): Promise<void>;
  workers(): Promise<FleetWorker[]>;
  /** Records the failure of the last try of a run; a successful try removes it. */
  tried(runId: string, host: string, failure: Failure | undefined): Promise<void>;
  troubles(): Promise<FleetTrouble[]>;
  /** True for the first caller with this job, so each tick of a schedule starts at most one run. */
  firstOf(job: string): Promise<boolean>;
  close(): Promise<void>;
}

export async function openFleetTables({ url, team }: FleetStore): Promise<FleetTables> {
  const connection = connectTo(url, { max: 2 });
  const s = schemaOf(team);
  try {
    await migrate(connection, s);
  } catch (error) {
    await connection.close();
    throw error;
  }
  return {
    connection,
    schema: s,
    note: async ({ runId, repo, url: from, base, needs }) => {
      const sql = `INSERT INTO ${s}.remote_runs VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`;
      await connection.all(sql, [runId, repo, from, base, needs]);
    },
    find: async (runId) => {
      const sql = `SELECT run_id AS "runId", repo, url, base, needs FROM ${s}.remote_runs WHERE run_id = $1`;
      return (await connection.all(sql, [runId]))[0] as unknown as RemoteRun | undefined;
    },
    among: async (runIds) => {
      const sql = `SELECT run_id AS "runId", needs, trouble, trouble_host AS host FROM ${s}.remote_runs WHERE run_id = ANY($1)`;
      return (await connection.all(sql, [runIds])).map(({ runId, needs, trouble, host }) => ({
        runId: String(runId),
        needs: String(needs),
        trouble: trouble === null ? null : { host: String(host), failure: JSON.parse(String(trouble)) as Failure },
      }));
    },
    pack: async (runId, artifact) => {
      const known = `SELECT 1 FROM ${s}.luggage WHERE run_id = $1 AND artifact = $2`;
      const insert = `INSERT INTO ${s}.luggage (run_id, artifact) SELECT $1, $2 WHERE NOT EXISTS (${known})`;
      await connection.all(insert, [runId, artifact]);
    },
    luggage: async (runId) => {
      const sql = `SELECT artifact FROM ${s}.luggage WHERE run_id = $1 ORDER BY n`;
      return (await connection.all(sql, [runId])).map((row) => String(row["artifact"]));
    },
    beat: async ({ id, host, pid, labels, doing }) => {
      await connection.all(
        `INSERT INTO ${s}.workers (id, host, pid, labels, doing) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (id) DO UPDATE SET doing = excluded.doing, beat_at = now()`,
        [id, host, pid, labels, doing],
      );
    },
    take: (worker, runId, { perRepository, perProvider }) =>
      connection.together(async (all) => {
        // The lock makes workers check one after the other: two at once would both find room.
        await all("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [`thehood limits ${s}`]);
        const [row] = await all(otherRuns(s), [runId]);
        const room =
          Number(row?.["inRepository"] ?? 0) < (perRepository ?? Infinity) &&
          Number(row?.["withProvider"] ?? 0) < (perProvider ?? Infinity);
        if (room)
          await all(`UPDATE ${s}.workers SET doing = array_append(array_remove(doing, $2), $2) WHERE id = $1`, [
            worker,
            runId,
          ]);
        return room;
      }),
    leave: async (id) => void (await connection.all(`DELETE FROM ${s}.workers WHERE id = $1`, [id])),
    workers: async () => {
      const rows = await connection.all(
        `SELECT id, host, pid, labels, doing, extract(epoch FROM now() - beat_at)::float8 AS "secondsSinceBeat",
           extract(epoch FROM now() - started_at)::float8 AS "upSeconds"
         FROM ${s}.workers WHERE beat_at > now() - interval '${silentSeconds} seconds' ORDER BY started_at, id`,
      );
      return rows as unknown as FleetWorker[];
    },
    tried: async (runId, host, failure) => {
      const sql = `UPDATE ${s}.remote_runs SET trouble = $2, trouble_host = $3, trouble_at = now() WHERE run_id = $1
         AND (trouble IS NOT NULL OR $2::text IS NOT NULL)`;
      await connection.all(sql, [runId, failure ? JSON.stringify(failure) : null, host]);
    },
    troubles: async () => {
      const rows = await connection.all(
        `SELECT run_id AS "runId", trouble_host AS host, trouble,
           extract(epoch FROM now() - trouble_at)::float8 AS "secondsAgo"
         FROM ${s}.remote_runs WHERE trouble IS NOT NULL ORDER BY trouble_at DESC LIMIT ${maxTroubles}`,
      );
      return rows.map(({ trouble, ...row }) => ({
        ...(row as Omit<FleetTrouble, "failure">),
        failure: JSON.parse(String(trouble)) as Failure,
      }));
    },
    firstOf: async (job) => {
      const sql = `INSERT INTO ${s}.ticks (job) VALUES ($1) ON CONFLICT DO NOTHING RETURNING 1`;
      return (await connection.all(sql, [job])).length === 1;
    },
    close: () => connection.close(),
  };
}

/** Counts the other runs of living workers: in the repository of a run, and with the busiest of its providers. */
const otherRuns = (s: string): string => `
WITH others AS (
  SELECT DISTINCT unnest(doing) AS run_id FROM ${s}.workers WHERE beat_at > now() - interval '${silentSeconds} seconds'
  EXCEPT SELECT $1
), used AS (
  SELECT DISTINCT run_id, role.value->>'provider' AS provider
  FROM ${s}.events, json_each(event::json->'roles') AS role
  WHERE seq = 1 AND run_id IN (SELECT run_id FROM others UNION SELECT $1)
)
SELECT
  (SELECT count(*) FROM others JOIN ${s}.remote_runs USING (run_id)
   WHERE repo = (SELECT repo FROM ${s}.remote_runs WHERE run_id = $1)) AS "inRepository",
  (SELECT max(n) FROM (
    SELECT count(*) AS n FROM used JOIN others USING (run_id)
    WHERE provider IN (SELECT provider FROM used WHERE run_id = $1) GROUP BY provider
  ) AS each_provider) AS "withProvider"`;
