// The fleet behind the operations: runs are handed over, workers serve, one run is advanced in its home.
import { fail, type RunEvent, type Store } from "../contract/index.ts";
import type { Fleet } from "../operations/index.ts";
import { copyStore } from "../store/copy/index.ts";
import { addressOf } from "./address.ts";
import { enlistRun, withQueue, withTables } from "./connect.ts";
import { advanceOnce } from "./once.ts";
import { openQueue, type TickJob } from "./queue.ts";
import { createSchedules, startTick } from "./schedules.ts";
import { openFleetTables } from "./tables.ts";
import { serveWorker } from "./worker.ts";
import type { ConfiguredStore, FleetWorld } from "./world.ts";

export function createFleet(world: FleetWorld): Fleet {
  const store = (): ConfiguredStore =>
    world.store ??
    fail("invalid_config", "Workers need a store that several machines share, and none is configured.", {
      remedy:
        "Set THEHOOD_DATABASE_URL, or store.url in the user's configuration, to postgres://user:password@host/database.",
    });
  return {
    ...createSchedules(world, store),
    copy: async (folder, from, to, tell) => {
      if (from === to) fail("invalid_input", "The source and the destination are one store.");
      const source = await storeAt(world, store, folder, from, "read");
      const destination = await storeAt(world, store, folder, to, "write");
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
      const { url, base, place } = await addressOf(folder);
      const repo = await world.keyOf(place);
      await enlistRun(store(), { runId, repo, url, base, needs });
    },
    work: async (options) => {
      const tables = await openFleetTables(store());
      const queue = await openQueue(store(), "worker");
      const { program, env } = world;
      try {
        const tick = (made: TickJob) => startTick(world, store(), made);
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
    once: async (runId, signal) =>
      withTables(store(), (tables) => advanceOnce(world, store(), tables, runId, signal)),
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
  world: FleetWorld,
  configured: () => ConfiguredStore,
  folder: string,
  name: string,
  mode: "read" | "write",
): Promise<Store<RunEvent>> {
  if (name === "embedded") return world.openStore(folder, undefined, mode);
  const { url, ...more } = name === "shared" ? configured() : { ...world.store, url: name };
  return world.openStore(folder, { ...more, url }, mode);
}
