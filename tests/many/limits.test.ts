// The order and the limits of the queue, with real queues on a real server and runs that only take time.
import { PgBoss } from "pg-boss";
import { describe, expect, it } from "vitest";
import { openQueue, takeoverSeconds, type FleetQueue } from "../../src/fleet/queue.ts";
import { openFleetTables, type FleetLimits, type FleetTables } from "../../src/fleet/tables.ts";
import { openSharedStore } from "../../src/platform/store/postgres/index.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { postgresForTests } from "./fleet-scene.ts";

const server = postgresForTests();

interface Wanted {
  readonly repo: string;
  readonly provider: string;
}
const none: FleetLimits = { perRepository: undefined, perProvider: undefined };
const runId = (repo: string, n: number) => `run_${repo}${String(n).padStart(4, "0")}`;

/** Runs whose first event names a provider, noted for the fleet. */
async function openFleet(wanted: readonly Wanted[]) {
  const url = await server().database();
  const store = await openSharedStore({ url, cacheDir: tempFolder("limits-") });
  const tables = await openFleetTables({ url, team: undefined });
  const runs = [];
  for (const [n, { repo, provider }] of wanted.entries()) {
    const id = runId(repo, n);
    const row = { runId: id, createdAt: 1, goal: "g", mode: "goal", state: "created", brief: null };
    const events = [{ type: "run_created", roles: { planner: { provider }, implementer: { provider } } }];
    await store.log.append({ runId: id, expectedSeq: 0, at: 1, events, row });
    const run = { runId: id, repo, url: "https://example.com/x", base: "0".repeat(40), needs: "" };
    await tables.note(run);
    runs.push(run);
  }
  const client = await openQueue({ url, team: undefined }, "client");
  return {
    url,
    tables,
    runs,
    client,
    close: async () => {
      await client.stop();
      await tables.close();
      await store.close();
    },
  };
}

/** A worker that takes runs within these limits; `started` is its work on one. */
async function work(
  tables: FleetTables,
  queue: FleetQueue,
  id: string,
  limits: FleetLimits,
  started: (runId: string) => Promise<void>,
): Promise<void> {
  await tables.beat({ id, host: id, pid: 1, labels: [], doing: [] });
  const doing = new Set<string>();
  await queue.work([], { concurrency: 3, perRepository: limits.perRepository }, async (run) => {
    if (!(await tables.take(id, run, limits))) return "full";
    doing.add(run);
    await started(run);
    doing.delete(run);
    await tables.beat({ id, host: id, pid: 1, labels: [], doing: [...doing] });
    return "done";
  });
}

describe("[B-22] the queue", () => {
  it("offers the run of a dead worker again in less than 20 seconds, by the values that the database has", async () => {
    const url = await server().database();
    const queue = await openQueue({ url, team: undefined }, "worker");
    await queue.stop();
    const sql =
      "SELECT heartbeat_seconds AS beat, retry_delay AS again FROM thehood_queue.queue WHERE name = 'advance'";
    const [row] = await server().query(sql, url);
    expect(row).toEqual({ beat: 10, again: 1 });
    expect(takeoverSeconds).toBeLessThan(20);
  });

  it("gives another repository its turn at once, with 500 runs of one waiting, and lets new ones overtake none that waits", async () => {
    const url = await server().database();
    const queue = await openQueue({ url, team: undefined }, "worker");
    const run = (repo: string, n: number) => ({
      runId: runId(repo, n),
      repo,
      url: "u",
      base: "b",
      needs: "",
    });
    for (let n = 0; n < 500; n += 1) await queue.offer(run("many", n));
    await queue.offer(run("one", 0));
    const order: string[] = [];
    await queue.work([], { concurrency: 1, perRepository: undefined }, async (id) => {
      order.push(id);
      return "done";
    });
    await expect.poll(() => order.length).toBeGreaterThanOrEqual(3);
    expect(order.slice(0, 3)).toContain(runId("one", 0));
    // The oldest of the many is now at turn 3 or later: a newcomer shares that turn and does not go before all of them.
    await queue.offer(run("new", 0));
    const [late] = await server().query(
      `SELECT (SELECT priority FROM thehood_queue.job WHERE singleton_key = '${runId("new", 0)}')
         <= (SELECT max(priority) FROM thehood_queue.job WHERE state < 'active' AND data->>'repo' = 'many') AS fair`,
      url,
    );
    expect(late).toEqual({ fair: true });
    await queue.stop();
  });

  it.each([
    ["repository", { perRepository: 1, perProvider: undefined }, 1, (run: string) => run.slice(4, 7)],
    ["provider", { perRepository: undefined, perProvider: 2 }, 2, () => "stub"],
  ] as const)(
    "two workers work on no more than the limit of one %s, and end everything",
    async (_, limits, limit, kind) => {
      const wanted = ["one", "one", "one", "two"].map((repo) => ({ repo, provider: "stub" }));
      const fleet = await openFleet(wanted);
      const at: string[] = [];
      const most = { same: 0, done: 0 };
      const started = async (run: string): Promise<void> => {
        at.push(run);
        const same = at.filter((other) => kind(other) === kind(run)).length;
        most.same = Math.max(most.same, same);
        await new Promise((resolve) => setTimeout(resolve, 1_500));
        at.splice(at.indexOf(run), 1);
        most.done += 1;
      };
      const queues = [];
      for (const id of ["left", "right"]) {
        const queue = await openQueue({ url: fleet.url, team: undefined }, "worker");
        queues.push(queue);
        await work(fleet.tables, queue, id, limits, started);
      }
      for (const run of fleet.runs) await fleet.client.offer(run);
      await expect.poll(() => most.done).toBe(wanted.length);
      expect(most.same).toBe(limit);
      for (const queue of queues) await queue.stop();
      await fleet.close();
    },
  );

  it("counts neither the run itself, nor a worker that has fallen silent, nor other providers", async () => {
    const fleet = await openFleet([
      { repo: "one", provider: "a" },
      { repo: "one", provider: "b" },
      { repo: "two", provider: "a" },
    ]);
    const [first = "", second = "", third = ""] = fleet.runs.map((run) => run.runId);
    const { tables, url } = fleet;
    for (const id of ["left", "right"]) await tables.beat({ id, host: id, pid: 1, labels: [], doing: [] });
    const one = { perRepository: undefined, perProvider: 1 };
    expect(await tables.take("left", first, one)).toBe(true);
    expect(await tables.take("right", first, one)).toBe(true);
    expect(await tables.take("right", third, one)).toBe(false);
    expect(await tables.take("right", second, one)).toBe(true);
    expect(await tables.take("right", third, none)).toBe(true);
    await server().query("UPDATE thehood.workers SET beat_at = now() - interval '1 minute'", url);
    await tables.beat({ id: "new", host: "new", pid: 1, labels: [], doing: [] });
    expect(await tables.take("new", third, one)).toBe(true);
    await fleet.close();
  });

  it("counts a run as set aside only while it is not over and no job of it waits", async () => {
    const fleet = await openFleet([
      { repo: "one", provider: "a" },
      { repo: "one", provider: "a" },
      { repo: "one", provider: "a" },
    ]);
    const [aside, waiting, over] = fleet.runs;
    if (!aside || !waiting || !over) throw new Error("three runs");
    const boss = new PgBoss({
      connectionString: fleet.url,
      schema: "thehood_queue",
      supervise: false,
      schedule: false,
    });
    boss.on("error", () => undefined);
    await boss.start();
    for (const { runId: id } of fleet.runs) await boss.send("dead", { runId: id });
    await boss.stop();
    await fleet.client.offer(waiting);
    await server().query(`UPDATE thehood.runs SET state = 'completed' WHERE run_id = '${over.runId}'`, fleet.url);
    expect(await fleet.client.waiting()).toEqual({ waiting: 1, active: 0, setAside: 1 });
    await fleet.close();
  });
});
