// The desk of a repository: reading opens the store for reading only; the engine is built when a run is to move.
import type { RunEvent, Store } from "../../contract/index.ts";
import { createMemory, readEvent, watch as follow } from "../../engine/index.ts";
import { compactStatus, fullView, next, openGates, type Run } from "../../machine/index.ts";
import type { RunDesk } from "../../operations/index.ts";
import { openStore } from "../../store/index.ts";
import type { Environment } from "../environment.ts";
import { lazy, once } from "../once.ts";
import { findPlace, type Place } from "../place.ts";
import { createProviders } from "../providers.ts";
import { refuseUnusable } from "../setup/agents.ts";
import { startedHere } from "../started.ts";
import { resolveAssignment } from "../setup/crew.ts";
import { findArtifact } from "./artifact.ts";
import { findRun } from "./find-run.ts";
import { dropKeptWork, keptWork, sweepLeftovers } from "./kept.ts";
import { clock, timers } from "../time.ts";

export async function openDesk(folder: string, environment: Environment): Promise<RunDesk> {
  const place = findPlace(folder);
  await finishInterrupted(place);
  // Once there is work the writer's own store is read: the one for reading may have been opened before there was any.
  let open = readable(openStore<RunEvent>(place.stateDir, { clock, mode: "read" }));
  const providers = lazy(() => createProviders(environment, place.root));
  const work = once(async () => {
    const started = await (await import("./work.ts")).openWork(place, providers(), environment);
    open.store.close();
    open = readable(started.store);
    return started;
  });
  const read = (runId: string): Run => open.memory.current(runId);
  return {
    repo: place.root,
    find: (id) => findRun(open.store.log, id),
    rows: (query) => open.store.log.list(query),
    count: () => open.store.log.count(),
    status: (runId) => compactStatus(read(runId)),
    full: (runId) => fullView(read(runId)),
    gates: (runId) => openGates(read(runId)),
    events: (runId, from = 1) => open.store.log.read(runId, from).map(readEvent),
    artifact: (runId, ref, range) => findArtifact(open.store.artifacts, read(runId), ref, range),
    verify: (runId) => open.store.log.verify(runId),
    holder: (runId) => open.store.leases.holder(runId)?.owner ?? startedHere(runId),
    idle: (runId) => next(read(runId)) === undefined,
    // Prepared first: what is refused leaves no trace, not even a state folder.
    async start(request, by) {
      const { prepareRun } = await import("./prepare.ts");
      const prepared = await prepareRun(place, environment, providers(), request, by);
      return (await work()).create(prepared);
    },
    submit: async (runId, command) => (await work()).submit(runId, command),
    loop: async (runId, options) => (await work()).loop(runId, options),
    async *watch(runId, from, signal) {
      for await (const { stored } of follow({ log: open.store.log, timers }, runId, from, signal))
        yield stored;
    },
    async resolve(assignment, source) {
      const resolved = resolveAssignment(providers(), assignment, source);
      await refuseUnusable(providers(), [resolved.provider]);
      return resolved;
    },
    kept: () => keptWork(place),
    drop: (refs) => dropKeptWork(place, refs),
    sweep: () => sweepLeftovers(place, open.store.log),
    [Symbol.asyncDispose]: async () => open.store.close(),
  };
}

const readable = (store: Store<RunEvent>) => ({ store, memory: createMemory(store) });

/** Whatever a crash left half done in the checkout is finished before anybody looks at it. */
async function finishInterrupted({ repository }: Place): Promise<void> {
  if (!repository) return;
  const { recoverApplies } = await import("../../workspace/apply/index.ts");
  await recoverApplies(repository);
}
