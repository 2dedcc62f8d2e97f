// The queue of the fleet, on pg-boss. A job only asks for a worker to advance a run: it is delivered at least once, and the
// lease of the run decides which worker does it.
import { PgBoss, type SendOptions } from "pg-boss";
import type { FleetSchedule } from "../operations/index.ts";
import { persistent, schemaOf } from "../platform/store/postgres/index.ts";
import type { FleetStore, RemoteRun } from "./tables.ts";

export interface TickJob {
  readonly repo: string;
  readonly url: string;
  readonly goal: string;
  readonly wishes: Readonly<Record<string, unknown>>;
}

const advanceQueue = "advance";
const tickQueue = "tick";
const deadQueue = "dead";

/** A dead worker is detected after the heartbeat, its run is offered again by the monitor and taken at the next poll. */
const heartbeatSeconds = 10;
const monitorSeconds = 1;
const pollSeconds = 1;
const retrySeconds = 1;
/** The longest time from the death of a worker until another one has its run. */
export const takeoverSeconds = heartbeatSeconds + monitorSeconds + retrySeconds + pollSeconds;
/** A run that failed this often is set aside, and `thehood workers` shows it. */
const maxTries = 100;
const laterSeconds = 5;
const fullSeconds = 2;
/** A process that hands a run over records it first and offers it within this time. */
const forgottenSeconds = 20;

const queueOf = (needs: string): string => (needs === "" ? advanceQueue : `${advanceQueue}.${needs}`);

/** `again`: offer again at once; `full`: in 2 s; `later`: in 5 s, and set aside after 100 tries. */
export type Outcome = "done" | "again" | "full" | "later";

interface AdvanceJob extends RemoteRun {
  readonly tries: number;
}

export interface FleetQueue {
  /** Offers a run to the workers. A run that waits already is not offered twice. */
  offer(run: RemoteRun): Promise<void>;
  /** Works on jobs with any of these labels, within the limits of this worker and of one repository in the fleet. */
  work(
    labels: readonly string[],
    limits: { readonly concurrency: number; readonly perRepository: number | undefined },
    handle: (runId: string) => Promise<Outcome>,
  ): Promise<void>;
  /** Offers runs that were recorded and never offered, because the process that handed them over died in between. */
  offerForgotten(): Promise<void>;
  workTicks(handle: (job: string, tick: TickJob) => Promise<void>): Promise<void>;
  schedule(key: string, cron: string, timezone: string, tick: TickJob): Promise<void>;
  schedules(): Promise<FleetSchedule[]>;
  unschedule(key: string): Promise<void>;
  waiting(): Promise<{ readonly waiting: number; readonly active: number; readonly setAside: number }>;
  /** Takes no new job and waits for the current ones. */
  stop(): Promise<void>;
}

export async function openQueue(store: FleetStore, role: "worker" | "client"): Promise<FleetQueue> {
  const queues = await openQueues(store, role);
  const { boss, ensure } = queues;
  const offer = (job: AdvanceJob, startAfter?: number) => offerJob(queues, job, startAfter);
  /** Offers the next job of an unfinished run before the current one ends, so the run always has a job. */
  const follow = async (job: AdvanceJob, outcome: Outcome): Promise<void> => {
    if (outcome === "again") await offer({ ...job, tries: 0 });
    if (outcome === "full") await offer(job, fullSeconds);
    if (outcome === "later" && job.tries < maxTries) await offer({ ...job, tries: job.tries + 1 }, laterSeconds);
    if (outcome === "later" && job.tries >= maxTries) await boss.send(deadQueue, job);
  };
  return {
    offer: (run) => offer({ ...run, tries: 0 }),
    work: async (labels, { concurrency, perRepository }, handle) => {
      for (const label of ["", ...labels]) {
        const name = queueOf(label);
        await ensure(name, advanceOptions);
        const options = {
          localConcurrency: concurrency,
          ...(perRepository === undefined ? {} : { groupConcurrency: perRepository }),
          pollingIntervalSeconds: pollSeconds,
          heartbeatRefreshSeconds: 3,
        };
        await boss.work<AdvanceJob>(name, options, async ([job]) => {
          if (job) await follow(job.data, await handle(job.data.runId));
        });
      }
    },
    offerForgotten: async () => {
      for (const run of await forgottenRuns(queues)) await offer({ ...run, tries: 0 });
    },
    workTicks: async (handle) => {
      await boss.work<TickJob>(tickQueue, { pollingIntervalSeconds: pollSeconds }, async ([job]) => {
        if (job) await handle(job.id, job.data);
      });
    },
    schedule: (key, cron, tz, tick) => boss.schedule(tickQueue, cron, tick, { tz, key }),
    unschedule: (key) => boss.unschedule(tickQueue, key),
    schedules: async () =>
      (await boss.getSchedules(tickQueue)).map(({ key, cron, timezone, data }) => {
        const { goal = "", repo = "" } = (data ?? {}) as Partial<TickJob>;
        return { key, cron, timezone, goal, repo };
      }),
    waiting: () => countJobs(queues),
    stop: () => boss.stop({ graceful: true, timeout: 600_000 }),
  };
}

const advanceOptions = {
  // One waiting and one active job for each run: an offer during the work is served after it.
  policy: "stately" as const,
  heartbeatSeconds,
  expireInSeconds: 86_000,
  retryLimit: maxTries,
  retryDelay: retrySeconds,
  deadLetter: deadQueue,
};

/** The queues in the database. `ensure`, `send` and `sql` try again while the database cannot be reached. */
interface Queues {
  readonly boss: PgBoss;
  /** The schema of the jobs. */
  readonly schema: string;
  /** The schema of the runs. */
  readonly runsSchema: string;
  ensure(name: string, options?: object): Promise<void>;
  send(name: string, job: AdvanceJob, options: SendOptions): Promise<unknown>;
  sql(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
}

async function openQueues({ url, team }: FleetStore, role: "worker" | "client"): Promise<Queues> {
  const runsSchema = schemaOf(team);
  const schema = `${runsSchema}_queue`;
  const retrying = <T>(work: () => Promise<T>): Promise<T> => persistent(url, work);
  const boss = await retrying(() => startBoss(url, schema, role));
  const made = new Set<string>();
  const ensure = async (name: string, options: object = {}): Promise<void> => {
    if (made.has(name)) return;
    await retrying(() => boss.createQueue(name, options));
    made.add(name);
  };
  await ensure(deadQueue);
  await ensure(advanceQueue, advanceOptions);
  await ensure(tickQueue, { retryLimit: 3 });
  return {
    boss,
    schema,
    runsSchema,
    ensure,
    send: (name, job, options) => retrying(() => boss.send(name, job, options)),
    sql: async (text, values = []) =>
      (await retrying(() => boss.getDb().executeSql(text, values))).rows as Record<string, unknown>[],
  };
}

async function offerJob({ schema, ensure, send, sql }: Queues, job: AdvanceJob, startAfter = 0): Promise<void> {
  const { runId, repo, needs } = job;
  const name = queueOf(needs);
  await ensure(name, advanceOptions);
  // The turn of a run comes after the last turn of its repository and not before the current turn: many runs of one
  // repository do not delay others, and newer runs do not overtake older ones.
  const [row] = await sql(
    `SELECT greatest(min(-priority), max(-priority) FILTER (WHERE data->>'repo' = $2) + 1) AS turn
     FROM ${schema}.job WHERE name = $1 AND state <= 'active'`,
    [name, repo],
  );
  const priority = -Number(row?.["turn"] ?? 0);
  // A job that is sent twice after a lost answer is one job, because a run has one waiting job.
  await send(name, job, { singletonKey: runId, priority, startAfter, group: { id: repo } });
}

/** Runs that were recorded and have no job. */
async function forgottenRuns({ schema, runsSchema, sql }: Queues): Promise<RemoteRun[]> {
  const rows = await sql(
    `SELECT r.run_id AS "runId", r.repo, r.url, r.base, r.needs FROM ${runsSchema}.remote_runs AS r
     JOIN ${runsSchema}.runs AS u USING (run_id)
     WHERE u.state NOT IN ('completed', 'failed', 'aborted', 'awaiting_approval')
       AND r.made_at < now() - interval '${forgottenSeconds} seconds'
       AND NOT EXISTS (SELECT 1 FROM ${schema}.job AS j WHERE j.singleton_key = r.run_id) LIMIT 100`,
  );
  return rows as unknown as RemoteRun[];
}

async function countJobs({ schema, runsSchema, sql }: Queues): ReturnType<FleetQueue["waiting"]> {
  const [row] = await sql(
    `SELECT count(*) FILTER (WHERE state < 'active' AND name LIKE 'advance%')::int AS waiting,
       count(*) FILTER (WHERE state = 'active' AND name LIKE 'advance%')::int AS active,
       count(*) FILTER (WHERE name = '${deadQueue}' AND state < 'active' AND ${isSetAside(runsSchema, schema)})::int AS aside
     FROM ${schema}.job AS job`,
  );
  return {
    waiting: Number(row?.["waiting"]),
    active: Number(row?.["active"]),
    setAside: Number(row?.["aside"]),
  };
}

/** pg-boss also moves a job there if its run has another waiting job; such a run, or one that is over, is not set aside. */
const isSetAside = (s: string, schema: string): string => `
  EXISTS (SELECT 1 FROM ${s}.runs AS r WHERE r.run_id = job.data->>'runId' AND r.state NOT IN ('completed', 'failed', 'aborted'))
  AND NOT EXISTS (SELECT 1 FROM ${schema}.job AS other
    WHERE other.singleton_key = job.data->>'runId' AND other.name LIKE '${advanceQueue}%' AND other.state <= 'active')`;

async function startBoss(url: string, schema: string, role: "worker" | "client"): Promise<PgBoss> {
  const boss = new PgBoss({
    connectionString: url,
    schema,
    max: role === "worker" ? 4 : 2,
    application_name: "thehood queue",
    supervise: role === "worker",
    schedule: role === "worker",
    monitorIntervalSeconds: monitorSeconds,
    superviseIntervalSeconds: monitorSeconds,
    // pg-boss caches the active runs; a stale cache would delay a run.
    queueCacheIntervalSeconds: monitorSeconds,
  });
  // Without a listener a broken idle connection would end the process; pg-boss reconnects.
  boss.on("error", () => undefined);
  try {
    return await boss.start();
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => undefined);
    throw error;
  }
}
