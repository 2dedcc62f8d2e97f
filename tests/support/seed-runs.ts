// Many runs in one store: copies of a run that really ended.
import { realpathSync } from "node:fs";
import { join } from "node:path";
import type { RunEvent } from "../../src/core/contract/index.ts";
import { openStore } from "../../src/platform/store/index.ts";

/** Copies the run until there are `total`, and gives the ids of the copies. */
export async function seedRuns(dir: string, runId: string, total: number): Promise<readonly string[]> {
  const copies: string[] = [];
  const store = openStore<RunEvent>(realpathSync(join(dir, ".thehood")), {
    clock: { now: () => Date.now() },
  });
  const events = (await store.log.read(runId)).map(({ event }) => event);
  const row = await store.log.row(runId);
  if (!row) throw new Error("the seeded run is gone");
  for (let made = await store.log.count(); made < total; made += 1) {
    const copy = `run_${made.toString(36).padStart(22, "0")}`;
    copies.push(copy);
    const renamed = events.map((event) => (event.type === "run_created" ? { ...event, runId: copy } : event));
    await store.log.append({
      runId: copy,
      expectedSeq: 0,
      at: Date.now(),
      events: renamed,
      row: { ...row, runId: copy },
    });
  }
  await store.close();
  return copies;
}
