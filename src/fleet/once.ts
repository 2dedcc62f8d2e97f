// Advances one run of the fleet in a home that is made for it and removed afterwards.
import { join } from "node:path";
import { FailureError, fail, type RunEvent } from "../core/contract/index.ts";
import type { Fleet, RepositoryRuns } from "../operations/index.ts";
import { makeHome, removeHome } from "./home.ts";
import { heldFromHome, integratedTree, packFirst } from "./luggage.ts";
import type { FleetTables } from "./tables.ts";
import { goneWithInput } from "./worker.ts";
import type { ConfiguredStore, FleetDeps } from "./deps.ts";

export async function advanceOnce(
  deps: FleetDeps,
  store: ConfiguredStore,
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
  const { luggage, events } = await readRun(deps, tables, runId);
  const network = await deps.network();
  const folder = await makeHome({ cacheDir, network }, { ...run, luggage, tree: integratedTree(events) });
  try {
    await using runs = await deps.runs(folder, async (opened, { repository }) => {
      if (!repository) return opened;
      const packing = { repository, base: run.base, artifacts: opened.artifacts, tables };
      return {
        ...opened,
        log: packFirst(opened.log, packing),
        leases: heldFromHome(opened, events.length),
      };
    });
    return await stepByStep(runs, runId, signal, goneWithInput(deps.env));
  } finally {
    removeHome(folder);
  }
}

/** The data for the home of a run, read when no other process works on it, or after 30 s. */
async function readRun(
  deps: FleetDeps,
  tables: FleetTables,
  runId: string,
): Promise<{ luggage: Uint8Array[]; events: RunEvent[] }> {
  const store = await deps.sharedStore();
  try {
    for (let seconds = 0; seconds < 30 && (await store.leases.holder(runId)); seconds += 1)
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    const events = (await store.log.read(runId)).map(({ event }) => event);
    const refs = await tables.luggage(runId);
    return { events, luggage: await Promise.all(refs.map((ref) => store.artifacts.read(ref))) };
  } finally {
    await store.close();
  }
}

/** One step at a time: a worker that drains stops between two steps, so it abandons no call. */
async function stepByStep(
  runs: RepositoryRuns,
  runId: string,
  signal: AbortSignal,
  gone: AbortSignal,
): ReturnType<Fleet["once"]> {
  for (;;)
    try {
      const one = { signal: gone, maxCycles: 1, maxSteps: 1 };
      // Another worker may still have the lease of the run.
      const { stop } = await runs.loop(runId, { ...one, waitMs: 30_000 });
      if (stop !== "max_cycles") return stop;
      if (signal.aborted) return "interrupted";
    } catch (error) {
      if (error instanceof FailureError && error.failure.code === "interrupted") return "interrupted";
      throw error;
    }
}
