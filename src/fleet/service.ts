// The fleet behind the operations: runs are handed over, workers serve, one run is advanced in its home.
import { createHash } from "node:crypto";
import { join } from "node:path";
import { FailureError, fail, type RunEvent, type Store } from "../contract/index.ts";
import { findPlace, git, originOf, type Place } from "../git/index.ts";
import type { UserGit } from "../git/user/index.ts";
import type { Fleet, RepositoryRuns, StartRun } from "../operations/index.ts";
import { copyStore } from "../store/copy/index.ts";
import { makeHome, removeHome, withoutKeys } from "./home.ts";
import { heldFromHome, integratedTree, packFirst } from "./luggage.ts";
import { openQueue, type FleetQueue, type TickJob } from "./queue.ts";
import { openFleetTables, type FleetStore, type FleetTables, type RemoteRun } from "./tables.ts";
import { goneWithInput, serveWorker } from "./worker.ts";

export interface FleetWorld {
  readonly store: (FleetStore & { readonly cacheDir: string }) | undefined;
  /** All runs of the team. */
  sharedStore(): Promise<Store<RunEvent>>;
  /** The name of a repository in the store. */
  keyOf(place: Place): Promise<string>;
  /** The runs of a folder; `packing` is put before each append. */
  runs(
    folder: string,
    packing?: (store: Store<RunEvent>, place: Place) => Promise<Store<RunEvent>>,
  ): Promise<RepositoryRuns>;
  /** The embedded store of a folder, or the database at an address. */
  openStore(
    folder: string,
    shared: (Partial<FleetStore> & { readonly url: string }) | undefined,
    mode: "read" | "write",
  ): Promise<Store<RunEvent>>;
  network(): Promise<UserGit["network"]>;
  readonly program: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

type Shared = NonNullable<FleetWorld["store"]>;

export function createFleet(world: FleetWorld): Fleet {
  const shared = (): Shared =>
    world.store ??
    fail("invalid_config", "Workers need a store that several machines share, and none is configured.", {
      remedy:
        "Set THEHOOD_DATABASE_URL, or store.url in the user's configuration, to postgres://user:password@host/database.",
    });
  const withTables = async <T>(use: (tables: FleetTables) => Promise<T>): Promise<T> => {
    const tables = await openFleetTables(shared());
    try {
      return await use(tables);
    } finally {
      await tables.close();
    }
  };
  const withQueue = async <T>(use: (queue: FleetQueue) => Promise<T>): Promise<T> => {
    const queue = await openQueue(shared(), "client");
    try {
      return await use(queue);
    } finally {
      await queue.stop();
    }
  };
  const enlist = async (run: RemoteRun): Promise<void> => {
    await withTables((tables) => tables.note(run));
    await withQueue((queue) => queue.offer(run));
  };

  /** A store by its name on the command line. */
  const storeAt = (folder: string, name: string, mode: "read" | "write"): Promise<Store<RunEvent>> => {
    if (name === "embedded") return world.openStore(folder, undefined, mode);
    const { url, ...more } = name === "shared" ? shared() : { ...world.store, url: name };
    return world.openStore(folder, { ...more, url }, mode);
  };

  return {
    copy: async (folder, from, to, tell) => {
      if (from === to) fail("invalid_input", "The source and the destination are one store.");
      const source = await storeAt(folder, from, "read");
      const destination = await storeAt(folder, to, "write");
      try {
        return await copyStore(source, destination, tell);
      } finally {
        await source.close();
        await destination.close();
      }
    },
    check: async (folder) => {
      shared();
      await addressOf(folder);
    },
    enlist: async (folder, runId, needs) => {
      const { url, base, place } = await addressOf(folder);
      await enlist({ runId, repo: await world.keyOf(place), url, base, needs });
    },
    work: async (options) => {
      const tables = await openFleetTables(shared());
      const queue = await openQueue(shared(), "worker");
      const { program, env } = world;
      try {
        const tick = (made: TickJob) => startTick(world, shared(), made, enlist);
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
    once: (runId, signal) => withTables((tables) => once(world, shared(), tables, runId, signal)),
    view: async () => {
      const workers = await withTables((tables) => tables.workers());
      return { workers, ...(await withQueue((queue) => queue.waiting())) };
    },
    schedule: async (folder, cron, timezone, wishes) => {
      const { url, place } = await addressOf(folder);
      const repo = await world.keyOf(place);
      const { goal } = wishes;
      const key = createHash("sha256")
        .update(JSON.stringify([repo, cron, timezone, goal]))
        .digest("hex")
        .slice(0, 12);
      await withQueue(async (queue) => {
        try {
          await queue.schedule(key, cron, timezone, { repo, url, goal, wishes: { ...wishes } });
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
    schedules: () => withQueue((queue) => queue.schedules()),
    unschedule: (key) =>
      withQueue(async (queue) => {
        const known = await queue.schedules();
        if (!known.some((one) => one.key === key))
          fail("not_found", `There is no schedule ${key}.`, { remedy: "List them: thehood schedules" });
        await queue.unschedule(key);
      }),
  };
}

/** Offers a run that the fleet advances; false for another one. */
export async function offerRemote(store: FleetStore, runId: string): Promise<boolean> {
  const tables = await openFleetTables(store);
  try {
    const run = await tables.find(runId);
    if (!run) return false;
    const queue = await openQueue(store, "client");
    await queue.offer(run);
    await queue.stop();
    return true;
  } finally {
    await tables.close();
  }
}

async function once(
  world: FleetWorld,
  store: Shared,
  tables: FleetTables,
  runId: string,
  signal: AbortSignal,
): ReturnType<Fleet["once"]> {
  const run =
    (await tables.find(runId)) ??
    fail("not_found", `${runId} is not a run of the fleet.`, {
      remedy: 'Runs of the fleet are started with: thehood run --remote "goal"',
    });
  const cacheDir = join(store.cacheDir, "..", "worker");
  const { luggage, events } = await readRun(world, tables, runId);
  const network = await world.network();
  const folder = await makeHome({ cacheDir, network }, { ...run, luggage, tree: integratedTree(events) });
  try {
    await using runs = await world.runs(folder, async (opened, { repository }) => {
      if (!repository) return opened;
      const packing = { repository, base: run.base, artifacts: opened.artifacts, tables };
      return {
        ...opened,
        log: packFirst(opened.log, packing),
        leases: heldFromHome(opened, events.length),
      };
    });
    return await stepByStep(runs, runId, signal, goneWithInput(world.env));
  } finally {
    removeHome(folder);
  }
}

/** Everything of a run that a home is made of, once no other process works on it. */
async function readRun(
  world: FleetWorld,
  tables: FleetTables,
  runId: string,
): Promise<{ luggage: Uint8Array[]; events: RunEvent[] }> {
  const store = await world.sharedStore();
  try {
    for (let looks = 0; looks < 30 && (await store.leases.holder(runId)); looks += 1)
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    const events = (await store.log.read(runId)).map(({ event }) => event);
    const refs = await tables.luggage(runId);
    return { events, luggage: await Promise.all(refs.map((ref) => store.artifacts.read(ref))) };
  } finally {
    await store.close();
  }
}

/** One step at a time: a worker that drains leaves between two, so that no call is left out. */
async function stepByStep(
  runs: RepositoryRuns,
  runId: string,
  signal: AbortSignal,
  gone: AbortSignal,
): ReturnType<Fleet["once"]> {
  for (;;)
    try {
      const one = { signal: gone, maxCycles: 1, maxSteps: 1 };
      // Another worker may hold the run still; its lease ends with it.
      const { stop } = await runs.loop(runId, { ...one, waitMs: 30_000 });
      if (stop !== "max_cycles") return stop;
      if (signal.aborted) return "interrupted";
    } catch (error) {
      if (error instanceof FailureError && error.failure.code === "interrupted") return "interrupted";
      throw error;
    }
}

async function startTick(
  world: FleetWorld,
  store: Shared,
  { repo, url, wishes }: TickJob,
  enlist: (run: RemoteRun) => Promise<void>,
): Promise<string> {
  const cacheDir = join(store.cacheDir, "..", "worker");
  const name = `schedule-${createHash("sha256").update(url).digest("hex").slice(0, 16)}-${process.pid}-${Date.now()}`;
  const folder = await makeHome(
    { cacheDir, network: await world.network() },
    { runId: name, url, base: undefined, luggage: [] },
  );
  await using runs = await world.runs(folder);
  const runId = await runs.start(wishes as unknown as StartRun, { kind: "person", surface: "cli" });
  const { base } = await headOf(findPlace(folder));
  await enlist({ runId, repo, url, base, needs: "" });
  removeHome(folder);
  return runId;
}

async function addressOf(folder: string): Promise<{ url: string; base: string; place: Place }> {
  const place = findPlace(folder);
  const { repository } = place;
  const origin = repository && originOf(repository);
  if (!origin)
    return fail("invalid_input", `${place.root} has no remote "origin", so no worker could clone it.`, {
      remedy: "git remote add origin ADDRESS, and push the commit that the work is based on.",
    });
  const { base } = await headOf(place);
  const contained = await git(repository, [
    "for-each-ref",
    "--count=1",
    `--contains=${base}`,
    "refs/remotes/origin",
  ]);
  if (contained.stdout.length === 0)
    fail(
      "invalid_input",
      `The commit ${base.slice(0, 12)} was not pushed to origin, so no worker could work on it.`,
      {
        remedy: "Push it first: git push",
      },
    );
  return { url: withoutKeys(origin), base, place };
}

async function headOf({ repository, root }: Place): Promise<{ base: string }> {
  if (!repository) return fail("not_a_repository", `${root} is not a git repository.`);
  const { stdout } = await git(repository, ["rev-parse", "--verify", "HEAD^{commit}"]);
  return { base: stdout.toString("utf8").trim() };
}
