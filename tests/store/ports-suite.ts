// The contract of the store's ports, for any store behind them: what the engine relies on, and nothing of how it is kept.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  FailureError,
  type AppendRequest,
  type Clock,
  type LeaseOwner,
  type Store,
} from "../../src/core/contract/index.ts";

export interface StoreUnderTest {
  /** Another handle on the same store, as another process would open it. All are closed after the test. */
  open(): Promise<Store>;
}

/** Makes a new, empty store that tells the time by this clock. */
export type MakeStore = (clock: Clock) => Promise<StoreUnderTest>;

const run = "run_000000";
const other = "run_000001";
const about = { kind: "log", mediaType: "text/plain", summary: "output" } as const;
/** On a host of their own, so that only time and release end a lease. */
const here: LeaseOwner = { pid: 1, startedAt: "then", host: "here" };
const there: LeaseOwner = { pid: 1, startedAt: "then", host: "there" };

function request(seq: number, events: unknown[], more: Partial<AppendRequest<unknown>> = {}) {
  const { runId = run } = more;
  const row = { runId, createdAt: 1, goal: "g", mode: "goal", state: "created", brief: { n: seq } };
  return { runId, expectedSeq: seq, at: 5 + seq, events, row, ...more };
}

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "done",
    (error: unknown) => (error instanceof FailureError ? error.failure.code : Promise.reject(error)),
  );

export function storePortsSuite(name: string, make: MakeStore): void {
  let now = 1_000;
  let made: StoreUnderTest;
  let store: Store;
  const opened: Store[] = [];
  const open = async (): Promise<Store> => {
    const one = await made.open();
    opened.push(one);
    return one;
  };

  beforeEach(async () => {
    now = 1_000;
    made = await make({ now: () => now });
    store = await open();
  });
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
  });

  describe(`the log of ${name}`, () => {
    it("[R-71] gives back what was appended, numbered and chained, to every reader at once", async () => {
      const first = await store.log.append(request(0, [{ a: 1 }, { b: [null, "é"] }]));
      const second = await store.log.append(request(2, ["c"]));
      if (!first.ok || !second.ok) throw new Error("conflict");
      const stored = [...first.stored, ...second.stored];
      expect(stored.map(({ seq, at, event }) => [seq, at, event])).toEqual([
        [1, 5, { a: 1 }],
        [2, 5, { b: [null, "é"] }],
        [3, 7, "c"],
      ]);
      expect(stored.slice(1).map(({ prevHash }) => prevHash)).toEqual(stored.slice(0, -1).map(({ hash }) => hash));
      const reader = await open();
      expect(await reader.log.read(run)).toEqual(stored);
      expect(await reader.log.read(run, 3)).toEqual(stored.slice(2));
      expect(await reader.log.head(run)).toEqual({ seq: 3, hash: stored[2]?.hash });
      expect([await reader.log.read(other), await reader.log.head(other)]).toEqual([[], undefined]);
    });

    it("[R-71] refuses a stale writer as data, and writes nothing of it", async () => {
      await store.log.append(request(0, [1, 2]));
      for (const seq of [0, 1, 3])
        expect(await store.log.append(request(seq, ["late"]))).toEqual({
          ok: false,
          conflict: "stale_seq",
          actualSeq: 2,
        });
      expect(await store.log.read(run)).toHaveLength(2);
      expect(await store.log.row(run)).toMatchObject({ seq: 2, brief: { n: 0 } });
    });

    it("has one winner for each place, whatever many writers try at once", async () => {
      const writers = [store, await open(), await open()];
      for (let seq = 0; seq < 5; seq += 1) {
        const tries = writers.flatMap((writer, index) => [
          writer.log.append(request(seq, [`${index} a`])),
          writer.log.append(request(seq, [`${index} b`])),
        ]);
        expect((await Promise.all(tries)).filter(({ ok }) => ok)).toHaveLength(1);
      }
      expect((await store.log.read(run)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
      expect((await store.log.verify()).problems).toEqual([]);
    });

    it("appends all events of a request or none, and works on after one that was refused", async () => {
      await store.log.append(request(0, [1]));
      for (const bad of [Number.NaN, () => 1, "x".repeat(1_100_000)])
        expect(await codeOf(store.log.append(request(1, ["good", bad])))).toBe("invalid_input");
      expect(await codeOf(store.log.append(request(1, [])))).toBe("invalid_input");
      expect(await store.log.read(run)).toHaveLength(1);
      expect(await store.log.append(request(1, ["good"]))).toMatchObject({ ok: true });
    });

    it("rejects, and never throws at once, for a run id outside the grammar", async () => {
      const id = "../../other";
      const { log, leases } = store;
      const works = [
        log.append(request(0, [1], { runId: id })),
        log.read(id),
        log.head(id),
        log.row(id),
        log.verify(id),
        leases.holder(id),
        leases.acquire(id, here, 10),
      ];
      expect(await Promise.all(works.map(codeOf))).toEqual(works.map(() => "invalid_input"));
      expect(await log.count()).toBe(0);
    });

    it("lists the newest first, by pages and by state, from rows that are never behind their events", async () => {
      for (let index = 0; index < 5; index += 1) {
        const runId = `run_00000${index}`;
        const state = index % 2 ? "planning" : "completed";
        await store.log.append(
          request(0, [index], { runId, at: 100 + index, row: { ...request(0, []).row, runId, state } }),
        );
      }
      const reader = await open();
      const first = await reader.log.list({ limit: 2 });
      expect(first.map(({ runId }) => runId)).toEqual(["run_000004", "run_000003"]);
      const [, last] = first;
      if (!last) throw new Error("no row");
      const next = await reader.log.list({ limit: 2, before: last });
      expect(next.map(({ runId }) => runId)).toEqual(["run_000002", "run_000001"]);
      const planning = await reader.log.list({ state: "planning" });
      expect(planning.map(({ runId }) => runId)).toEqual(["run_000003", "run_000001"]);
      expect(await reader.log.count()).toBe(5);
      expect(await reader.log.row("run_000003")).toMatchObject({ updatedAt: 103, seq: 1, state: "planning" });
    });
  });

  describe(`the artifacts of ${name}`, () => {
    it("are named by their content, read whole and in slices, and are one for equal bytes", async () => {
      const bytes = Uint8Array.from({ length: 300 }, (_, index) => index % 256);
      const refs = await Promise.all([
        store.artifacts.put(bytes, about),
        store.artifacts.put(bytes, about),
        (await open()).artifacts.put(Uint8Array.from(bytes), about),
      ]);
      const [first] = refs;
      if (!first) throw new Error("no ref");
      expect(refs).toEqual([first, first, first]);
      expect(first.bytes).toBe(300);
      const reader = await open();
      expect(Buffer.from(await reader.artifacts.read(first.ref)).equals(bytes)).toBe(true);
      const slice = await reader.artifacts.slice(first.ref, 250, 100);
      expect([[...slice.bytes], slice.total]).toEqual([[...bytes.subarray(250)], 300]);
      expect(await reader.artifacts.has(first.ref)).toBe(true);
    });

    it("are there for everybody who can read the event that names them", async () => {
      const ref = await store.artifacts.put("the whole output", about);
      await store.log.append(request(0, [{ type: "said", artifact: ref }]));
      const reader = await open();
      const [said] = await reader.log.read(run);
      if (!said) throw new Error("no event");
      const { artifact } = said.event as { artifact: typeof ref };
      expect(Buffer.from(await reader.artifacts.read(artifact.ref)).toString()).toBe("the whole output");
      expect(await reader.log.verify(run)).toMatchObject({ artifacts: 1, problems: [] });
    });

    it("that are missing or wrongly named are refused by name", async () => {
      const unknown = `sha256:${"0".repeat(64)}`;
      expect(await store.artifacts.has(unknown)).toBe(false);
      expect(await codeOf(store.artifacts.read(unknown))).toBe("not_found");
      for (const wrong of ["sha256:../../etc", "", "x"]) {
        expect(await codeOf(store.artifacts.read(wrong))).toBe("invalid_input");
        expect(await codeOf(store.artifacts.slice(wrong, 0, 1))).toBe("invalid_input");
        expect(await codeOf(store.artifacts.has(wrong))).toBe("invalid_input");
      }
      expect(await codeOf(store.artifacts.slice(unknown, -1, 1))).toBe("invalid_input");
    });
  });

  describe(`the leases of ${name}`, () => {
    it("have one holder a run, however many ask at once; another run is free", async () => {
      const handles = [store, await open(), await open()];
      const taken = await Promise.all(handles.map((one) => one.leases.acquire(run, here, 100)));
      const winner = taken.find((one) => one.ok);
      expect(taken.filter(({ ok }) => ok)).toHaveLength(1);
      expect(taken.flatMap((one) => (one.ok ? [] : [one.holder]))).toEqual([winner?.lease, winner?.lease]);
      expect((await store.leases.acquire(other, there, 100)).ok).toBe(true);
    });

    it("[R-71] end by release or by time; the token grows, and a writer whose lease is gone writes nothing", async () => {
      const first = await store.leases.acquire(run, here, 100);
      if (!first.ok) throw new Error("taken");
      const { token } = first.lease;
      expect(await store.log.append(request(0, [1], { lease: token }))).toMatchObject({ ok: true });
      now += 99;
      expect(await store.leases.renew(run, token, 100)).toBe(true);
      now += 99;
      expect((await store.leases.holder(run))?.token).toBe(token);
      now += 2;
      expect(await store.leases.holder(run)).toBeUndefined();
      const second = await (await open()).leases.acquire(run, there, 100);
      if (!second.ok) throw new Error("taken");
      expect(second).toMatchObject({ tookOver: { owner: here, token } });
      expect(second.lease.token).toBeGreaterThan(token);
      const late = request(1, ["late"], { lease: token });
      expect(await store.log.append(late)).toEqual({ ok: false, conflict: "lease_lost", actualSeq: 1 });
      expect(await store.leases.renew(run, token, 100)).toBe(false);
      // Nothing happens: it is not this token's to give back.
      await store.leases.release(run, token);
      expect((await store.leases.holder(run))?.owner).toEqual(there);
      await store.leases.release(run, second.lease.token);
      expect(await store.leases.holder(run)).toBeUndefined();
      expect(await store.log.append({ ...late, lease: second.lease.token })).toMatchObject({
        conflict: "lease_lost",
      });
    });
  });

  describe(`the fence of ${name}`, () => {
    it("[B-16] does the work for the holder that has seen every event, and for no other", async () => {
      const first = await store.leases.acquire(run, here, 100);
      if (!first.ok) throw new Error("taken");
      const { token } = first.lease;
      let done = 0;
      const work = () => void (done += 1);
      await store.log.append(request(0, [1], { lease: token }));
      expect(await store.leases.fence(run, token, 1, work)).toBe("done");
      expect(done).toBe(1);
      await (await open()).log.append(request(1, ["abort"]));
      expect(await store.leases.fence(run, token, 1, work)).toBe("moved");
      expect(await store.leases.fence(run, token + 1, 2, work)).toBe("lease_lost");
      now += 101;
      // Late, and still its own: no other process has taken it.
      expect(await store.leases.fence(run, token, 2, work)).toBe("done");
      expect((await (await open()).leases.acquire(run, there, 100)).ok).toBe(true);
      expect(await store.leases.fence(run, token, 2, work)).toBe("lease_lost");
      expect(done).toBe(2);
    });

    it("[B-16] stays shut when the work fails, and the store goes on", async () => {
      const first = await store.leases.acquire(run, here, 100);
      if (!first.ok) throw new Error("taken");
      const { token } = first.lease;
      const fails = () => {
        throw new Error("no journal");
      };
      await expect(store.leases.fence(run, token, 0, fails)).rejects.toThrow("no journal");
      expect(await store.log.append(request(0, [1], { lease: token }))).toMatchObject({ ok: true });
    });
  });

  describe(`${name}, opened again`, () => {
    it("holds everything that was acknowledged: events, row, artifact and lease", async () => {
      const ref = await store.artifacts.put("kept", about);
      const taken = await store.leases.acquire(run, here, 1_000);
      if (!taken.ok) throw new Error("taken");
      await store.log.append(request(0, [{ artifact: ref }, 2], { lease: taken.lease.token }));
      const before = [await store.log.read(run), await store.log.row(run), await store.leases.holder(run)];
      for (const one of opened.splice(0)) await one.close();
      const again = await open();
      expect([await again.log.read(run), await again.log.row(run), await again.leases.holder(run)]).toEqual(before);
      expect(Buffer.from(await again.artifacts.read(ref.ref)).toString()).toBe("kept");
      expect((await again.log.verify()).problems).toEqual([]);
    });
  });
}
