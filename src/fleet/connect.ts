// The tables and the queue of the fleet, opened for one use.
import type { RunWait } from "../operations/index.ts";
import { openQueue, type FleetQueue } from "./queue.ts";
import { openFleetTables, type FleetStore, type FleetTables, type RemoteRun } from "./tables.ts";

export async function withTables<T>(store: FleetStore, use: (tables: FleetTables) => Promise<T>): Promise<T> {
  const tables = await openFleetTables(store);
  try {
    return await use(tables);
  } finally {
    await tables.close();
  }
}

export async function withQueue<T>(store: FleetStore, use: (queue: FleetQueue) => Promise<T>): Promise<T> {
  const queue = await openQueue(store, "client");
  try {
    return await use(queue);
  } finally {
    await queue.stop();
  }
}

/** Records a run as one of the fleet and offers it. */
export async function enlistRun(store: FleetStore, run: RemoteRun): Promise<void> {
  await withTables(store, (tables) => tables.note(run));
  await withQueue(store, (queue) => queue.offer(run));
}

/** Offers a run of the fleet; false for any other run. */
export function offerRemote(store: FleetStore, runId: string): Promise<boolean> {
  return withTables(store, async (tables) => {
    const run = await tables.find(runId);
    if (!run) return false;
    await withQueue(store, (queue) => queue.offer(run));
    return true;
  });
}

/** The runs of the fleet among these, with the number of workers that may take each. */
export function remoteWaits(store: FleetStore, runIds: readonly string[]): Promise<ReadonlyMap<string, RunWait>> {
  return withTables(store, async (tables) => {
    const found = await tables.among(runIds);
    const workers = found.length === 0 ? [] : await tables.workers();
    const workersWith = (needs: string) => workers.filter(({ labels }) => needs === "" || labels.includes(needs));
    return new Map(
      found.map(({ runId, needs, trouble }) => [runId, { needs, workers: workersWith(needs).length, trouble }]),
    );
  });
}
