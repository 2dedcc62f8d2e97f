// The fleet for the operations: hands runs over, serves as a worker, advances one run in its home.
import { fail, type RunEvent, type Store } from "../core/contract/index.ts";
import type { Fleet } from "../operations/index.ts";
import { copyStore } from "../platform/store/index.ts";
import { addressOf } from "./home.ts";
import { enlistRun, withQueue, withTables } from "./connect.ts";
import { advanceOnce } from "./once.ts";
import { openQueue, type TickJob } from "./queue.ts";
import { createSchedules, startTick } from "./schedules.ts";
import { openFleetTables } from "./tables.ts";
import { serveWorker } from "./worker.ts";
import type { ConfiguredStore, FleetDeps } from "./deps.ts";

export function createFleet(deps: FleetDeps): Fleet {
  const store = (): ConfiguredStore =>
    deps.store ??
    fail("invalid_config", "Workers need a store that several machines share, and none is configured.", {
      remedy:
        "Set THEHOOD_DATABASE_URL, or store.url in the user's configuration, to postgres://user:password@host/database.",
    });
  return {
    ...createSchedules(deps, store),
    copy: async (folder, from, to, tell) => {
      if (from === to) fail("invalid_input", "The source and the destination are the same store.");
      const source = await storeAt(deps, store, folder, from, "read");
      const destination = await storeAt(deps, store, folder, to, "write");
      try {
        return await copyStore(source, destination, tell);
      } finally {
        await source.close();
        await destination.close();
      }
    },
    check: async (folder) => {
      store();
      await addressOf(folder);
    },
    enlist: async (folder, runId, needs) => {
      const { url, base, location } = await addressOf(folder);
      const repo = await deps.keyOf(location);
      await enlistRun(store(), { runId, repo, url, base, needs });
    },
    work: async (options) => {
      const tables = await openFleetTables(store());
      const queue = await openQueue(store(), "worker");
      const { program, env } = deps;
      try {
        const tick = (made: TickJob) => startTick(deps, store(), made);
        const counts = await serveWorker(queue, tables, {
          healthPort: undefined,
          perRepository: undefined,
          perProvider: undefined,
          ...options,
          program,
          env,
          tick,
        });
        return { ...counts };
      } finally {
        await tables.close();
      }
    },
    once: async (runId, signal) => withTables(store(), (tables) => advanceOnce(deps, store(), tables, runId, signal)),
    view: async () => {
      const seen = await withTables(store(), async (tables) => ({
        workers: await tables.workers(),
        troubles: await tables.troubles(),
      }));
      return { ...seen, ...(await withQueue(store(), (queue) => queue.waiting())) };
    },
  };
}

/** A store by its name on the command line. */
async function storeAt(
  deps: FleetDeps,
  configured: () => ConfiguredStore,
  folder: string,
  name: string,
  mode: "read" | "write",
): Promise<Store<RunEvent>> {
  if (name === "embedded") return deps.openStore(folder, undefined, mode);
  const { url, ...more } = name === "shared" ? configured() : { ...deps.store, url: name };
  return deps.openStore(folder, { ...more, url }, mode);
}
