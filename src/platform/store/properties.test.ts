import { join } from "node:path";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import type { AppendResult, Store } from "../../core/contract/index.ts";
import { canonicalJson, openStore } from "./index.ts";
import { removeFolder } from "../../../tests/support/remove-folder.ts";

const clock = { now: () => 1 };
const runIds = ["run_aaaaaa", "run_bbbbbb", "run_cccccc"] as const;

async function withStore(use: (store: Store, reopen: () => Promise<Store>) => Promise<void>): Promise<void> {
  const folder = tempFolder("store-");
  const dir = join(folder, "s");
  let store = openStore(dir, { clock });
  try {
    await use(store, async () => {
      await store.close();
      return (store = openStore(dir, { clock }));
    });
  } finally {
    await store.close();
    removeFolder(folder);
  }
}

const jsonValue = fc.jsonValue({ maxDepth: 4 });
const action = fc.record({
  runId: fc.constantFrom(...runIds),
  /** How far off the writer's idea of the log is; mostly not at all. */
  off: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.integer({ min: -2, max: 2 })),
  events: fc.array(jsonValue, { minLength: 1, maxLength: 4 }),
  reopen: fc.boolean(),
});

it("any sequence of appends reads back as a plain list of each run's accepted events, also after reopening", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 12 }), (actions) =>
      withStore(async (first, reopen) => {
        let store = first;
        const model = new Map<string, unknown[]>(runIds.map((runId) => [runId, []]));
        for (const { runId, off, events, reopen: again } of actions) {
          if (again) store = await reopen();
          const known = model.get(runId) ?? [];
          const expectedSeq = Math.max(0, known.length + off);
          const row = { runId, createdAt: 1, goal: "g", mode: "m", state: "s", brief: known.length };
          const result: AppendResult<unknown> = await store.log.append({
            runId,
            expectedSeq,
            at: 7,
            events,
            row,
          });
          expect(result.ok).toBe(expectedSeq === known.length);
          if (result.ok) model.set(runId, [...known, ...events]);
        }
        for (const [runId, events] of model) {
          const read = await store.log.read(runId);
          expect(read.map((stored) => canonicalJson(stored.event))).toEqual(events.map(canonicalJson));
          expect((await store.log.head(runId))?.seq ?? 0).toBe(events.length);
          for (let from = 1; from <= events.length + 1; from++)
            expect(await store.log.read(runId, from)).toEqual(read.slice(from - 1));
        }
        expect(await store.log.count()).toBe([...model.values()].filter((events) => events.length > 0).length);
        expect((await store.log.verify()).problems).toEqual([]);
      }),
    ),
    { numRuns: 40 },
  );
});

it("artifacts give back the exact bytes, whole and in slices, under one name for one content", async () => {
  await withStore(async (store) => {
    const about = { kind: "diff", mediaType: "text/x-diff", summary: "s" } as const;
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 5_000 }),
        fc.nat(6_000),
        fc.nat(6_000),
        async (bytes, offset, length) => {
          const ref = await store.artifacts.put(bytes, about);
          expect(await store.artifacts.put(Uint8Array.from(bytes), about)).toEqual(ref);
          expect(await store.artifacts.has(ref.ref)).toBe(true);
          expect(Buffer.from(await store.artifacts.read(ref.ref)).equals(bytes)).toBe(true);
          const slice = await store.artifacts.slice(ref.ref, offset, length);
          expect(slice.total).toBe(bytes.length);
          expect(Buffer.from(slice.bytes).equals(bytes.subarray(offset, offset + length))).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  });
});

it("one value has one text, whatever the order its keys were written in", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), jsonValue), (value) => {
      const turned = Object.fromEntries(Object.entries(value).reverse());
      expect(canonicalJson(turned)).toBe(canonicalJson(value));
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});
