// How fast the store is on this disk: durable appends beside raw fsync, and lists that must not grow with the runs.
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createIds, openStore } from "../src/store/index.ts";

const clock = { now: () => Date.now() };
const folder = mkdtempSync(join(tmpdir(), "store-bench-"));
const event = { type: "provider_answered", role: "implementer", text: "x".repeat(400) };
const seconds = 2;

function rate(work: () => void): number {
  const start = performance.now();
  let done = 0;
  for (; performance.now() - start < seconds * 1_000; done++) work();
  return (done / (performance.now() - start)) * 1_000;
}

function median(work: () => void, times: number): number {
  const taken = Array.from({ length: times }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return taken.sort((a, b) => a - b)[times >> 1] ?? 0;
}

function rawAppends(): number {
  const descriptor = openSync(join(folder, "raw"), "a");
  const bytes = Buffer.from(JSON.stringify(event));
  const found = rate(() => {
    writeSync(descriptor, bytes);
    fdatasyncSync(descriptor);
  });
  closeSync(descriptor);
  return found;
}

function row(runId: string, createdAt: number) {
  const goal = "make the login test stable";
  return { runId, createdAt, goal, mode: "goal", state: "implementing", brief: { iteration: 1, gate: null } };
}

function durableAppends(): number {
  const store = openStore(join(folder, "appends"), { clock });
  const runId = createIds(clock).next("run");
  let expectedSeq = 0;
  const found = rate(() => {
    store.log.append({
      runId,
      expectedSeq: expectedSeq++,
      at: clock.now(),
      events: [event],
      row: row(runId, 1),
    });
  });
  store.close();
  return found;
}

function withRuns(count: number) {
  const dir = join(folder, `runs-${count}`);
  const store = openStore(dir, { clock });
  const ids = createIds(clock);
  let runId = "";
  for (let made = 0; made < count; made++) {
    runId = ids.next("run");
    const events = Array.from({ length: 30 }, () => event);
    store.log.append({ runId, expectedSeq: 0, at: clock.now(), events, row: row(runId, clock.now()) });
  }
  store.close();
  const open = () => {
    const reader = openStore(dir, { clock, mode: "read" });
    reader.log.list({ limit: 20 });
    reader.log.count();
    reader.log.row(runId);
    reader.close();
  };
  open();
  const status = median(open, 41);
  const writer = openStore(dir, { clock });
  let expectedSeq = 30;
  const append = median(() => {
    writer.log.append({
      runId,
      expectedSeq: expectedSeq++,
      at: clock.now(),
      events: [event],
      row: row(runId, 1),
    });
  }, 201);
  const read = median(() => writer.log.read(runId), 41);
  writer.close();
  const megabytes = statSync(join(dir, "store.db")).size / 1e6;
  return {
    runs: count,
    "open+list+status ms": status,
    "append ms": append,
    "read run ms": read,
    "file MB": megabytes,
  };
}

try {
  const before = rawAppends();
  const appends = durableAppends();
  const raw = (before + rawAppends()) / 2;
  console.log(`raw append + fdatasync  ${raw.toFixed(0)} a second`);
  console.log(`durable event appends   ${appends.toFixed(0)} a second, ratio ${(appends / raw).toFixed(2)}`);
  console.table([10, 1_000, 5_000].map(withRuns));
  console.log(`memory ${(process.memoryUsage.rss() / 1e6).toFixed(0)} MB`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
