// A fleet on one server: how soon an idle worker claims a run, and how many runs a minute 1, 2 and 4 workers bring to their end.
//   FLEET_BENCH_RUNS=24 npm run bench -- fleet
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { bin, env, makeRepository } from "./lib/desk.ts";
import { judged } from "./lib/limit.ts";
import { median } from "./lib/measure.ts";
import { tempFolder } from "./lib/temp-folder.ts";
import { postgresPrograms, startPostgres, type PostgresServer } from "../tests/support/postgres.ts";

const runs = Number(process.env["FLEET_BENCH_RUNS"] ?? 12);
/** A worker asks the queue this often. */
const pollMs = 1_000;

const place = tempFolder();
let made = 0;
function ownFolder(): string {
  const folder = join(place, String((made += 1)));
  mkdirSync(folder);
  return folder;
}

const files = {
  "package.json": JSON.stringify({ name: "sample", type: "module", scripts: { test: "node --test" } }),
  "add.js": "export const add = (a, b) => a - b;\n",
  "add.test.js":
    "import assert from 'node:assert';\nimport test from 'node:test';\nimport { add } from './add.js';\ntest('adds', () => assert.equal(add(1, 2), 3));\n",
};
const script = {
  roles: {
    implementer: [
      {
        edits: [{ op: "replace", path: "add.js", find: "a - b", with: "a + b" }],
        payload: { changedFiles: ["add.js"] },
      },
    ],
  },
};

interface Site {
  readonly url: string;
  readonly dir: string;
}

/** A clone with an origin that workers reach, and a database of its own. */
async function makeSite(server: PostgresServer): Promise<Site> {
  const [url, dir, origin] = [await server.database(), makeRepository(files), ownFolder()];
  const git = (...args: string[]) => execFileSync("git", args, { cwd: dir, stdio: "ignore" });
  execFileSync("git", ["init", "-q", "--bare", "-b", "main", origin]);
  git("remote", "add", "origin", origin);
  git("push", "-q", "origin", "HEAD:main");
  git("fetch", "-q", "origin");
  return { url, dir };
}

function handOver({ url, dir }: Site): void {
  const words = ["run", "Fix add", "--remote", "--team", "stub", "--approvals", "autopilot", "--json"];
  const all = [bin, ...words, "--stub-script", JSON.stringify(script)];
  execFileSync(process.execPath, all, {
    cwd: dir,
    env: { ...env, THEHOOD_DATABASE_URL: url },
    stdio: "ignore",
  });
}

function startWorkers({ url }: Site, count: number): ChildProcess[] {
  return Array.from({ length: count }, () => {
    const home = ownFolder();
    const own = { ...env, HOME: home, THEHOOD_HOME: home, THEHOOD_DATABASE_URL: url };
    return spawn(process.execPath, [bin, "worker"], { cwd: home, env: own, stdio: "ignore" });
  });
}

async function endWorkers(workers: readonly ChildProcess[]): Promise<void> {
  for (const worker of workers) {
    const gone = new Promise((resolve) => worker.once("exit", resolve));
    worker.kill("SIGTERM");
    await gone;
  }
}

async function untilEnded(server: PostgresServer, { url }: Site, wanted: number): Promise<void> {
  const sql =
    "SELECT count(*) FILTER (WHERE state = 'completed')::int AS done, count(*) FILTER (WHERE state IN ('failed', 'aborted', 'awaiting_approval'))::int AS bad FROM thehood.runs";
  for (;;) {
    const [row] = await server.query(sql, url);
    if (Number(row?.["bad"]) > 0) throw new Error("a run of the benchmark did not complete");
    if (Number(row?.["done"]) >= wanted) return;
    await pause(200);
  }
}

/** From the first step of the first run to the end of the last one: starting the workers is not counted. */
async function runsAMinute(server: PostgresServer, count: number): Promise<number> {
  const site = await makeSite(server);
  for (let given = 0; given < runs; given += 1) handOver(site);
  const workers = startWorkers(site, count);
  await untilEnded(server, site, runs);
  await endWorkers(workers);
  const [row] = await server.query(
    "SELECT extract(epoch FROM max(completed_on) - min(started_on))::float8 AS seconds FROM thehood_queue.job WHERE name = 'advance'",
    site.url,
  );
  return (runs * 60) / Number(row?.["seconds"]);
}

async function claimMs(server: PostgresServer): Promise<number> {
  const site = await makeSite(server);
  const workers = startWorkers(site, 1);
  for (let given = 1; given <= 5; given += 1) {
    handOver(site);
    await untilEnded(server, site, given);
  }
  await endWorkers(workers);
  const rows = await server.query(
    "SELECT extract(epoch FROM started_on - created_on)::float8 * 1000 AS ms FROM thehood_queue.job WHERE name = 'advance' ORDER BY created_on OFFSET 1",
    site.url,
  );
  return median(rows.map((row) => Number(row["ms"])));
}

async function measure(): Promise<void> {
  const server = await startPostgres({ durable: true });
  const claim = await claimMs(server);
  console.log(
    `an idle worker claims a run after ${Math.round(claim)} ms (median)${judged("2 × its poll of 1 s", claim <= 2 * pollMs)}`,
  );
  const rates: number[] = [];
  for (const count of [1, 2, 4]) {
    const rate = await runsAMinute(server, count);
    rates.push(rate);
    console.log(`${count} worker${count === 1 ? "" : "s"}: ${rate.toFixed(1)} runs a minute`);
  }
  const [one = 1, , four = 0] = rates;
  console.log(`4 workers do ${(four / one).toFixed(2)} × the runs of 1${judged("1 ×, at least", four >= one)}`);
  await server.remove();
}

const programs = postgresPrograms();
if ("missing" in programs) console.log(`skipped: ${programs.missing}`);
else await measure();
