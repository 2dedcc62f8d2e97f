// The cost of signed heads: a durable append with a signature beside one without, and one head that is pinned in git.
import { join } from "node:path";
import { createSealer } from "../src/workspace/evidence/index.ts";
import { requireRepository } from "../src/platform/git/index.ts";
import { createIds, openStore } from "../src/platform/store/index.ts";
import { makeRepository } from "./lib/desk.ts";
import { judged } from "./lib/limit.ts";
import { median } from "./lib/measure.ts";
import { tempFolder } from "./lib/temp-folder.ts";

const clock = { now: () => Date.now() };
const folder = tempFolder();
const root = makeRepository({ "a.txt": "a\n" });
const repository = requireRepository(root);
const sealer = createSealer({ folder: join(folder, "evidence"), root, repository, clock });
const store = openStore<{ type: string; text: string }>(join(folder, "store"), { clock });

/** One append after the other, in turn without and with a signature. */
async function appends(count: number): Promise<[number, number]> {
  const times: [number[], number[]] = [[], []];
  const ids = createIds(clock);
  const runs = [ids.next("run"), ids.next("run")] as const;
  for (let seq = 0; seq < count; seq++)
    for (const [which, runId] of runs.entries()) {
      const row = { runId, createdAt: 1, goal: "g", mode: "goal", state: "s", brief: null };
      const events = [{ type: "said", text: "x".repeat(400) }];
      const start = performance.now();
      const result = await store.log.append({ runId, expectedSeq: seq, at: 1, events, row });
      if (which === 1 && result.ok) sealer.sign(result.stored);
      times[which]?.push(performance.now() - start);
    }
  return [median(times[0]), median(times[1])];
}

async function pins(count: number): Promise<number> {
  const times: number[] = [];
  for (let seq = 1; seq <= count; seq++) {
    const start = performance.now();
    sealer.mark({ run: "run_pinned", seq, head: "h".repeat(64) });
    await sealer.settle();
    times.push(performance.now() - start);
  }
  return median(times);
}

await pins(2);
const [plain, withHead] = await appends(400);
const ratio = withHead / plain;
console.log(`a durable append             ${plain.toFixed(2)} ms`);
console.log(
  `the same with a signed head  ${withHead.toFixed(2)} ms, ${ratio.toFixed(2)} x${judged("2.5 x", ratio <= 2.5)}`,
);
console.log(`a head pinned in git         ${(await pins(15)).toFixed(0)} ms, beside the work of the run`);
await store.close();
