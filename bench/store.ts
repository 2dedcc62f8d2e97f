// How fast the store is on this disk: durable appends beside raw fsync, and lists that must not grow with the runs.
import { closeSync, fsyncSync, openSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { judged } from "./lib/limit.ts";
import { tempFolder } from "./lib/temp-folder.ts";
import { createIds, openStore } from "../src/platform/store/index.ts";

const clock = { now: () => Date.now() };
const folder = tempFolder();
const event = { type: "provider_answered", role: "implementer", text: "x".repeat(400) };

/** Short turns one after the other, so that a busy machine slows both sides alike. */
const turns = 12;
const turnMs = 250;

async function rates(works: readonly (() => unknown)[]): Promise<number[]> {
  const done = works.map(() => 0);
  const taken = works.map(() => 0);
  for (let turn = 0; turn < turns; turn++)
    for (const [index, work] of works.entries()) {
      const start = performance.now();
      let count = 0;
      for (; performance.now() - start < turnMs; count++) await work();
      done[index] = (done[index] ?? 0) + count;
      taken[index] = (taken[index] ?? 0) + performance.now() - start;
    }
  return done.map((count, index) => (count / (taken[index] ?? 1)) * 1_000);
}

async function median(work: () => Promise<unknown>, times: number): Promise<number> {
  const taken: number[] = [];
  while (taken.length < times) {
    const start = performance.now();
    await work();
    taken.push(performance.now() - start);
  }
  return taken.sort((a, b) => a - b)[times >> 1] ?? 0;
}

function row(runId: string, createdAt: number) {
  const goal = "make the login test stable";
  return { runId, createdAt, goal, mode: "goal", state: "implementing", brief: { iteration: 1, gate: null } };
}

/** The same bytes to a plain file with one fsync each, beside the same events to the store. */
async function appends(): Promise<{ raw: number; durable: number }> {
  const descriptor = openSync(join(folder, "raw"), "a");
  const bytes = Buffer.from(JSON.stringify(event));
  const store = openStore(join(folder, "appends"), { clock });
  const runId = createIds(clock).next("run");
  let expectedSeq = 0;
  const [raw = 0, durable = 0] = await rates([
    () => {
      writeSync(descriptor, bytes);
      fsyncSync(descriptor);
    },
    async () => {
      const request = { runId, expectedSeq: expectedSeq++, at: clock.now(), events: [event] };
      await store.log.append({ ...request, row: row(runId, 1) });
    },
  ]);
  await store.close();
  closeSync(descriptor);
  return { raw, durable };
}

async function withRuns(count: number) {
  const dir = join(folder, `runs-${count}`);
  const store = openStore(dir, { clock });
  const ids = createIds(clock);
  let runId = "";
  for (let made = 0; made < count; made++) {
    runId = ids.next("run");
    const events = Array.from({ length: 30 }, () => event);
    await store.log.append({ runId, expectedSeq: 0, at: clock.now(), events, row: row(runId, clock.now()) });
  }
  await store.close();
  const open = async () => {
    const reader = openStore(dir, { clock, mode: "read" });
    await reader.log.list({ limit: 10 });
    await reader.log.count();
    await reader.log.row(runId);
    await reader.close();
  };
  const writer = openStore(dir, { clock });
  let expectedSeq = 30;
  const append = await median(async () => {
    await writer.log.append({
      runId,
      expectedSeq: expectedSeq++,
      at: clock.now(),
      events: [event],
      row: row(runId, 1),
    });
  }, 201);
  const read = await median(() => writer.log.read(runId), 41);
  await writer.close();
  const megabytes = statSync(join(dir, "store.db")).size / 1e6;
  const rounded = (value: number) => Number(value.toFixed(3));
  return {
    open,
    row: {
      runs: count,
      "append ms": rounded(append),
      "read run ms": rounded(read),
      "file MB": rounded(megabytes),
    },
  };
}

/** The shortest time of each in milliseconds: other work of the machine only adds. They take turns. */
async function shortest(works: readonly (() => Promise<unknown>)[]): Promise<number[]> {
  const best = works.map(() => Number.POSITIVE_INFINITY);
  for (let turn = 0; turn < 300; turn += 1)
    for (const [index, work] of works.entries()) {
      const start = performance.now();
      await work();
      best[index] = Math.min(best[index] ?? 0, performance.now() - start);
    }
  return best;
}

const { raw, durable } = await appends();
console.log(`raw append + fsync     ${raw.toFixed(0)} a second`);
const ratio = durable / raw;
const verdict = judged("at least 0.56 ×", ratio >= 0.56);
console.log(`durable event appends  ${durable.toFixed(0)} a second, ${ratio.toFixed(2)} × raw${verdict}`);
const measured: Awaited<ReturnType<typeof withRuns>>[] = [];
for (const count of [10, 1_000, 5_000]) measured.push(await withRuns(count));
console.table(measured.map(({ row: told }) => told));
const looks = await shortest(measured.map(({ open }) => open));
console.log(`open, list and count   ${looks.map((ms) => ms.toFixed(2)).join(", ")} ms`);
const growth = Math.max(...looks) / Math.min(...looks);
console.log(`many runs against few  ${growth.toFixed(2)} ×${judged("1.3 ×", growth <= 1.3)}`);
console.log(`memory ${(process.memoryUsage.rss() / 1e6).toFixed(0)} MB`);
