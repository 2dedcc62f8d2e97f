// The desk of a repository: reading opens the store for reading only; the engine is built when a run is to move.
import type { RunEvent, Store, StoredEvent } from "../../contract/index.ts";
import { createMemory, readEvent, watch as follow } from "../../engine/index.ts";
import { compactStatus, fullView, openGates, type Run } from "../../machine/index.ts";
import type { RunDesk } from "../../operations/index.ts";
import { openStore } from "../../store/index.ts";
import type { Environment } from "../environment.ts";
import { once } from "../once.ts";
import { findPlace, type Place } from "../place.ts";
import { findArtifact } from "./artifact.ts";
import { findRun } from "./find-run.ts";
import { dropKeptWork, keptWork } from "./kept.ts";
import { clock, timers } from "./world.ts";

export async function openDesk(folder: string, environment: Environment): Promise<RunDesk> {
  const place = findPlace(folder);
  await finishInterrupted(place);
  const store: Store<RunEvent> = openStore<RunEvent>(place.stateDir, { clock, mode: "read" });
  const memory = createMemory(store);
  const work = once(async () => (await import("./work.ts")).openWork(place, environment));
  const read = (runId: string): Run => memory.current(runId);
  const events = (runId: string, from = 1): StoredEvent<RunEvent>[] =>
    store.log.read(runId, from).map(readEvent);
  return {
    repo: place.root,
    find: (id) => findRun(store.log, id),
    rows: (query) => store.log.list(query),
    count: () => store.log.count(),
    status: (runId) => compactStatus(read(runId)),
    full: (runId) => fullView(read(runId)),
    gates: (runId) => openGates(read(runId)),
    events,
    artifact: (runId, ref, range) => findArtifact(store.artifacts, read(runId), ref, range),
    verify: (runId) => store.log.verify(runId),
    start: async (request) => (await work()).start(request),
    submit: async (runId, command) => (await work()).submit(runId, command),
    loop: async (runId, options) => (await work()).loop(runId, options),
    async *watch(runId, from, signal) {
      for await (const { stored } of follow({ log: store.log, timers }, runId, from, signal)) yield stored;
    },
    resolve: async (assignment, source) => (await work()).resolve(assignment, source),
    kept: () => keptWork(place),
    drop: (refs) => dropKeptWork(place, refs),
    async [Symbol.asyncDispose]() {
      store.close();
      if (work.started()) (await work()).close();
    },
  };
}

/** Whatever a crash left half done in the checkout is finished before anybody looks at it. */
async function finishInterrupted({ repository }: Place): Promise<void> {
  if (!repository) return;
  const { recoverApplies } = await import("../../workspace/apply/index.ts");
  await recoverApplies(repository);
}
