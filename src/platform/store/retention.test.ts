// Removing runs: exactly what was seen goes, or nothing.
import { existsSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { openStore, removeRuns, removeUnnamedArtifacts, thisProcess } from "./index.ts";

const about = { kind: "log", mediaType: "text/plain", summary: "text" } as const;
const clock = { now: () => 1_000_000 };

async function scene() {
  const dir = join(tempFolder("store-"), ".thehood");
  const store = openStore(dir, { clock });
  const append = async (runId: string, seq: number) =>
    store.log.append({
      runId,
      expectedSeq: seq,
      at: 5,
      events: [{ type: "x", seq }],
      row: { runId, createdAt: 1, goal: "g", mode: "goal", state: "completed", brief: {} },
    });
  await append("run_000001", 0);
  await append("run_000002", 0);
  const head = async (runId: string) => (await store.log.head(runId)) ?? { seq: 0, hash: "" };
  return { dir, store, append, head };
}

it("[B-15] a run that changed since it was read is not removed, and neither is any other of the same request", async () => {
  const { dir, store, append, head } = await scene();
  const seen = new Map([
    ["run_000001", await head("run_000001")],
    ["run_000002", await head("run_000002")],
  ]);
  await append("run_000002", 1);
  expect(() => removeRuns(dir, seen, clock)).toThrow("run_000002 has changed since it was read; nothing was removed");
  expect(await store.log.read("run_000001")).toHaveLength(1);
  expect(await store.log.read("run_000002")).toHaveLength(2);
  seen.set("run_000002", await head("run_000002"));
  removeRuns(dir, seen, clock);
  expect(await store.log.list({ limit: 10 })).toEqual([]);
  await store.close();
});

/** An artifact that an event names, and one that was put and never named, both old. */
async function withArtifacts() {
  const { dir, store } = await scene();
  const [named, unnamed] = [await store.artifacts.put("named", about), await store.artifacts.put("unnamed", about)];
  await store.artifacts.settle();
  await store.log.append({
    runId: "run_000003",
    expectedSeq: 0,
    at: 5,
    events: [{ type: "x", seq: 1, deep: { text: `see ${named.ref} there` } }],
    row: { runId: "run_000003", createdAt: 1, goal: "g", mode: "goal", state: "completed", brief: {} },
  });
  const path = ({ ref }: { readonly ref: string }) => join(dir, "artifacts", ref.slice(7, 9), ref.slice(9));
  for (const one of [named, unnamed]) utimesSync(path(one), 1, 1);
  const remove = () => removeUnnamedArtifacts(dir, (found) => found, clock);
  return { store, named: path(named), unnamed: path(unnamed), remove };
}

it("[B-31] only artifacts that no event names are removed, and the record verifies as before", async () => {
  const { store, named, unnamed, remove } = await withArtifacts();
  expect(remove()).toEqual({ count: 1, bytes: 7 });
  expect([existsSync(named), existsSync(unnamed)]).toEqual([true, false]);
  expect((await store.log.verify()).problems).toEqual([]);
  expect(remove()).toEqual({ count: 0, bytes: 0 });
  await store.close();
});

it("[B-31] nothing is removed while a run is at work: its next event may name an artifact", async () => {
  const { store, unnamed, remove } = await withArtifacts();
  await store.leases.acquire("run_000001", thisProcess(), 60_000);
  expect(remove()).toBeUndefined();
  expect(existsSync(unnamed)).toBe(true);
  await store.leases.release("run_000001", 1);
  expect(remove()?.count).toBe(1);
  await store.close();
});

it("[B-15] an artifact that was removed is written again by a process that had put it before", async () => {
  const { store, unnamed, remove } = await withArtifacts();
  remove();
  const { ref } = await store.artifacts.put("unnamed", about);
  expect(existsSync(unnamed)).toBe(true);
  expect(Buffer.from(await store.artifacts.read(ref)).toString()).toBe("unnamed");
  await store.close();
});
