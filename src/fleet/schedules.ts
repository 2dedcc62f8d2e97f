// The schedules of the fleet: at each time of a schedule a worker starts a run.
import { createHash } from "node:crypto";
import { join } from "node:path";
import { fail } from "../core/contract/index.ts";
import { locateRepository } from "../platform/git/index.ts";
import type { Fleet, StartRun } from "../operations/index.ts";
import { addressOf, headOf, makeHome, removeHome } from "./home.ts";
import { enlistRun, withQueue } from "./connect.ts";
import type { TickJob } from "./queue.ts";
import type { ConfiguredStore, FleetDeps } from "./deps.ts";

export function createSchedules(deps: FleetDeps, store: () => ConfiguredStore) {
  return {
    schedule: async (folder, cron, timezone, options) => {
      const { url, location } = await addressOf(folder);
      const repo = await deps.keyOf(location);
      const { goal } = options;
      const key = createHash("sha256")
        .update(JSON.stringify([repo, cron, timezone, goal]))
        .digest("hex")
        .slice(0, 12);
      await withQueue(store(), async (queue) => {
        try {
          await queue.schedule(key, cron, timezone, { repo, url, goal, wishes: { ...options } });
        } catch (error) {
          fail(
            "invalid_input",
            `The times "${cron}" in ${timezone} cannot be read: ${error instanceof Error ? error.message : String(error)}.`,
            {
              remedy: 'Write five fields, as in "0 3 * * 1-5", and a zone such as Europe/Berlin.',
            },
          );
        }
      });
      return { key, cron, timezone, goal, repo };
    },
    schedules: async () => withQueue(store(), (queue) => queue.schedules()),
    unschedule: async (key) =>
      withQueue(store(), async (queue) => {
        const known = await queue.schedules();
        if (!known.some((one) => one.key === key))
          fail("not_found", `There is no schedule ${key}.`, { remedy: "List them: thehood schedules" });
        await queue.unschedule(key);
      }),
  } satisfies Partial<Fleet>;
}

/** Starts the run of one tick of a schedule. */
export async function startTick(
  deps: FleetDeps,
  store: ConfiguredStore,
  { repo, url, wishes }: TickJob,
): Promise<string> {
  const cacheDir = join(store.cacheDir, "..", "worker");
  const name = `schedule-${createHash("sha256").update(url).digest("hex").slice(0, 16)}-${process.pid}-${Date.now()}`;
  const folder = await makeHome(
    { cacheDir, network: await deps.network() },
    { runId: name, url, base: undefined, luggage: [] },
  );
  await using runs = await deps.runs(folder);
  const runId = await runs.start(wishes as unknown as StartRun, { kind: "person", surface: "cli" });
  const { base } = await headOf(locateRepository(folder));
  await enlistRun(store, { runId, repo, url, base, needs: "" });
  removeHome(folder);
  return runId;
}
