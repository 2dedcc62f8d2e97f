// A writer that never stops by itself: appends to one run as fast as it can, under a lease or against all comers.
import { writeSync } from "node:fs";
import process from "node:process";
import { openStore, thisProcess } from "../../src/platform/store/index.ts";
import { clock } from "./script.ts";

const [, , dir = "", runId = "", manner = "lease", limit = "1000000000"] = process.argv;
const store = openStore(dir, { clock });
const row = { runId, createdAt: 1, goal: "g", mode: "goal", state: "working", brief: null };
const nap = new Int32Array(new SharedArrayBuffer(4));

async function takeLease(): Promise<number> {
  for (;;) {
    const taken = await store.leases.acquire(runId, thisProcess(), 60_000);
    if (taken.ok) return taken.lease.token;
    Atomics.wait(nap, 0, 0, 2);
  }
}

for (let done = 0; done < Number(limit);) {
  const lease = manner === "lease" ? await takeLease() : undefined;
  for (let turn = 0; turn < 5; turn++) {
    const expectedSeq = (await store.log.head(runId))?.seq ?? 0;
    const events = [{ by: process.pid, token: lease ?? 0, text: "x".repeat(200) }];
    const request = { runId, expectedSeq, at: expectedSeq, events, row };
    const result = await store.log.append(lease === undefined ? request : { ...request, lease });
    if (!result.ok) {
      if (lease !== undefined) throw new Error(`a lease holder got ${result.conflict}`);
      continue;
    }
    done += 1;
    for (const { seq, hash } of result.stored) writeSync(1, `${JSON.stringify({ runId, seq, hash })}\n`);
  }
  if (lease !== undefined) await store.leases.release(runId, lease);
}
await store.close();
