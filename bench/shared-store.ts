// The shared store beside a bare insert on the same PostgreSQL server, and lists that must not grow with the runs.
import { join } from "node:path";
import { Client } from "pg";
import { judged } from "./lib/limit.ts";
import { tempFolder } from "./lib/temp-folder.ts";
import { createIds } from "../src/platform/store/index.ts";
import { openSharedStore } from "../src/platform/store/postgres/index.ts";
import { postgresPrograms, startPostgres } from "../tests/support/postgres.ts";

const programs = postgresPrograms();
const median = (taken: readonly number[]): number => taken.toSorted((a, b) => a - b)[taken.length >> 1] ?? 0;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function measure(): Promise<void> {
  const server = await startPostgres({ durable: true });
  const url = await server.database();
  const store = await openSharedStore({ url, cacheDir: join(tempFolder(), "cache"), repo: "bench" });
  const bare = new Client({ connectionString: url });
  await bare.connect();
  await bare.query(
    "CREATE TABLE plain (run text, seq bigint, at bigint, event text, hash text, PRIMARY KEY (run, seq))",
  );
  const event = { type: "provider_answered", role: "implementer", text: "x".repeat(400) };
  const ids = createIds({ now: () => Date.now() });
  const runId = ids.next("run");
  const row = (id: string) => ({
    runId: id,
    createdAt: 1,
    goal: "g",
    mode: "goal",
    state: "planning",
    brief: null,
  });
  const text = JSON.stringify(event);
  const [appends, inserts]: [number[], number[]] = [[], []];
  // Turn by turn, so that a busy machine slows both alike.
  for (let seq = 0; seq < 400; seq++) {
    inserts.push(
      await timed(() =>
        bare.query("INSERT INTO plain VALUES ($1, $2, $3, $4, $5) RETURNING seq", ["r", seq, 1, text, "h"]),
      ),
    );
    appends.push(
      await timed(() => store.log.append({ runId, expectedSeq: seq, at: 1, events: [event], row: row(runId) })),
    );
  }
  const [append, insert] = [median(appends), median(inserts)];
  console.log(`append ${append.toFixed(2)} ms, bare INSERT … RETURNING ${insert.toFixed(2)} ms (medians of 400)`);
  const ratio = append / insert;
  console.log(`an append takes ${ratio.toFixed(2)} × a bare insert${judged("1.5 ×", ratio <= 1.5)}`);
  const lists: number[] = [];
  for (const wanted of [1_000, 100_000]) {
    await bare.query(
      `INSERT INTO thehood.runs SELECT 'run_' || lpad(i::text, 12, '0'), 'bench', i, i, 1, 'h', 'g', 'goal', 'completed', 'null', 'd'
       FROM generate_series(1, $1::int) AS i ON CONFLICT DO NOTHING`,
      [wanted],
    );
    await bare.query("ANALYZE thehood.runs");
    const taken: number[] = [];
    for (let times = 0; times < 40; times++) taken.push(await timed(() => store.log.list({ limit: 50 })));
    lists.push(median(taken));
    console.log(`a page of 50 of ${wanted.toLocaleString("en")} runs: ${median(taken).toFixed(2)} ms`);
  }
  const growth = (lists[1] ?? 0) / (lists[0] ?? 1);
  console.log(`a page of 100,000 runs takes ${growth.toFixed(2)} × one of 1,000${judged("2 ×", growth <= 2)}`);
  await bare.end();
  await store.close();
  await server.remove();
}

if ("missing" in programs) {
  console.log(`skipped: ${programs.missing}`);
} else await measure();
