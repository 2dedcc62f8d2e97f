// Removing runs: exactly what was seen goes, or nothing.
import { join } from "node:path";
import { expect, it } from "vitest";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { openStore, removeRuns } from "./index.ts";

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
