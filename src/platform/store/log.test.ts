import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { FailureError, idPattern, type AppendRequest, type Store } from "../../core/contract/index.ts";
import { createIds, openStore, thisProcess } from "./index.ts";

let dir: string;
let store: Store;
const clock = { now: () => 1_000 };

beforeEach(() => {
  dir = join(tempFolder("store-"), ".thehood");
  store = openStore(dir, { clock });
});
afterEach(async () => {
  await store.close();
});

const run = "run_000000";
function request(seq: number, events: unknown[], more: Partial<AppendRequest<unknown>> = {}) {
  const row = { runId: run, createdAt: 1, goal: "g", mode: "goal", state: "created", brief: { n: seq } };
  return { runId: run, expectedSeq: seq, at: 5 + seq, events, row, ...more };
}
async function code(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (error) {
    if (error instanceof FailureError) return error.failure.code;
    throw error;
  }
  return "none";
}

describe("the log", () => {
  it("gives back what was appended, in order, each event bound to the one before", async () => {
    const first = await store.log.append(request(0, [{ b: 1, a: [null, "é\u2028"] }, { type: "x" }]));
    const second = await store.log.append(request(2, [{ type: "y" }]));
    const read = await store.log.read(run);
    expect(read).toEqual([...(first.ok ? first.stored : []), ...(second.ok ? second.stored : [])]);
    expect(read.map((event) => event.seq)).toEqual([1, 2, 3]);
    expect(read[1]?.prevHash).toBe(read[0]?.hash);
    expect(await store.log.read(run, 3)).toEqual([read[2]]);
    expect(await store.log.head(run)).toEqual({ seq: 3, hash: read[2]?.hash });
    expect(await store.log.row(run)).toMatchObject({ seq: 3, updatedAt: 7, brief: { n: 2 } });
  });

  it("gives the snapshot of the last append while the chain is whole, and none that was altered", async () => {
    await store.log.append(request(0, [{ a: 1 }], { snapshot: "at rest" }));
    expect(await store.log.snapshot(run)).toBe("at rest");
    await store.log.append(request(1, [{ a: 2 }]));
    expect(await store.log.snapshot(run)).toBeUndefined();
    await store.log.append(request(2, [{ a: 3 }], { snapshot: "at rest\nagain" }));
    expect(await store.log.snapshot(run)).toBe("at rest\nagain");
    const other = new DatabaseSync(join(dir, "store.db"));
    other.exec("UPDATE runs SET snapshot = replace(snapshot, 'again', 'never')");
    other.close();
    expect(await store.log.snapshot(run)).toBeUndefined();
  });

  it("refuses a writer that has not seen the last event and stores nothing of it", async () => {
    await store.log.append(request(0, [{ a: 1 }]));
    expect(await store.log.append(request(0, [{ a: 2 }]))).toEqual({
      ok: false,
      conflict: "stale_seq",
      actualSeq: 1,
    });
    expect(await store.log.append(request(7, [{ a: 2 }]))).toMatchObject({
      ok: false,
      conflict: "stale_seq",
    });
    expect(await store.log.read(run)).toHaveLength(1);
  });

  it("refuses a writer whose lease was taken over or given back", async () => {
    const dead = { ...thisProcess(), startedAt: "long ago" };
    const old = await store.leases.acquire(run, dead, 1_000);
    const mine = await store.leases.acquire(run, thisProcess(), 1_000);
    if (!old.ok || !mine.ok) throw new Error("both acquire");
    expect(mine.tookOver?.token).toBe(old.lease.token);
    expect(mine.lease.token).toBeGreaterThan(old.lease.token);
    expect(await store.log.append(request(0, [1], { lease: old.lease.token }))).toMatchObject({
      conflict: "lease_lost",
    });
    expect(await store.log.append(request(0, [1], { lease: mine.lease.token }))).toMatchObject({ ok: true });
    await store.leases.release(run, mine.lease.token);
    expect(await store.log.append(request(1, [1], { lease: mine.lease.token }))).toMatchObject({
      conflict: "lease_lost",
    });
  });

  it("[R-71] is append-only for anyone who opens the file", async () => {
    await store.log.append(request(0, [{ a: 1 }, { a: 2 }]));
    const other = new DatabaseSync(join(dir, "store.db"));
    for (const sql of [
      "UPDATE events SET event = '{}'",
      "DELETE FROM events",
      "INSERT OR REPLACE INTO events VALUES ('run_000000', 2, 1, '{}', 'x')",
      "INSERT INTO events VALUES ('run_000000', 9, 1, '{}', 'x')",
      "DELETE FROM runs",
    ])
      expect(() => other.exec(sql)).toThrow();
    other.close();
    expect((await store.log.verify()).problems).toEqual([]);
  });

  it("refuses what is not a JSON value, what is too big, and a run id outside the grammar", async () => {
    for (const event of [undefined, Number.NaN, () => 1, 1n, new Map(), [undefined]])
      expect(await code(() => store.log.append(request(0, [event])))).toBe("invalid_input");
    expect(await code(() => store.log.append(request(0, ["x".repeat(1_100_000)])))).toBe("invalid_input");
    expect(await code(() => store.log.read("../../other"))).toBe("invalid_input");
    expect(await code(() => store.log.append(request(0, [])))).toBe("invalid_input");
    const other = request(0, [{ type: "x" }], { row: { ...request(0, []).row, runId: "run_000001" } });
    expect(await code(() => store.log.append(other))).toBe("invalid_input");
    expect(await store.log.count()).toBe(0);
  });

  it("keeps the files to their owner", async () => {
    await store.artifacts.put("x", { kind: "log", mediaType: "text/plain", summary: "s" });
    await store.log.append(request(0, [1]));
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    for (const name of ["store.db", "store.db-wal", "store.db-shm"])
      expect(statSync(join(dir, name)).mode & 0o777).toBe(0o600);
  });

  it("a store opened to read creates nothing and sees what a writer adds", async () => {
    const reader = openStore(dir, { clock, mode: "read" });
    await store.log.append(request(0, [1]));
    expect(await reader.log.read(run)).toHaveLength(1);
    expect(await code(() => reader.log.append(request(1, [1])))).toBe("permission_denied");
    await reader.close();
    const nowhere = join(dir, "none");
    const empty = openStore(nowhere, { clock, mode: "read" });
    expect(await empty.log.list()).toEqual([]);
    expect(statSync(nowhere, { throwIfNoEntry: false })).toBeUndefined();
    await empty.close();
  });
});

describe("ids", () => {
  it("sort by creation and match the grammar, also when the clock stops or goes back", () => {
    const times = [5, 5, 5, 3, 4, 9];
    const ids = createIds({ now: () => times.shift() ?? 9 });
    const made = Array.from({ length: 100 }, () => ids.next("run"));
    expect(made.toSorted()).toEqual(made);
    expect(made.every((id) => idPattern.test(id))).toBe(true);
    expect(new Set(made).size).toBe(100);
  });
});
