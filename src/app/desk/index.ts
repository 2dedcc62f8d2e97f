// The desk of a repository: reading opens the store for reading only; the engine is built when a run is to move.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { RunEvent, Store } from "../../contract/index.ts";
import { createReader, readEvent, watch as follow } from "../../engine/index.ts";
import { compactStatus, fullView, next, openGates, unknownIn, type Run } from "../../machine/index.ts";
import type { RepositoryRuns } from "../../operations/index.ts";
import { openStore } from "../../store/index.ts";
import type { Environment } from "../environment.ts";
import { once } from "../../system/index.ts";
import { findOwnPlace, type Place } from "../../git/index.ts";
import { startedHere } from "../started.ts";
import { findArtifact } from "./artifact.ts";
import { commandFolder } from "./command-folder.ts";
import { findRun } from "./find-run.ts";
import { clock, timers } from "../../system/index.ts";

export async function openDesk(folder: string, environment: Environment): Promise<RepositoryRuns> {
  const place = await findOwnPlace(folder);
  await finishInterrupted(place);
  // Once there is work the writer's own store is read: one for reading may have been opened before there was any.
  const opened: Readable[] = [];
  const open = (): Readable => {
    const latest = opened.at(-1);
    if (latest) return latest;
    const store = openStore<RunEvent>(place.stateDir, { clock, mode: "read", unknownIn });
    opened.push({ store, read: createReader(store.log) });
    return open();
  };
  // Looking needs neither providers nor git: what only acts is loaded when somebody acts.
  const providers = once(async () =>
    (await import("../providers.ts")).createProviders(environment, place.root),
  );
  const keeper = () => import("./kept.ts");
  const work = once(async () => {
    const started = await (await import("./work.ts")).openWork(place, await providers(), environment);
    opened.push(started);
    return started;
  });
  const read = (runId: string): Promise<Run> => open().read(runId);
  return {
    repo: place.root,
    find: async (id) => findRun(open().store.log, id),
    rows: async (query) => open().store.log.list(query),
    count: async () => open().store.log.count(),
    status: async (runId) => compactStatus(await read(runId)),
    full: async (runId) => fullView(await read(runId)),
    gates: async (runId) => openGates(await read(runId)),
    report: async (runId) => (await read(runId)).report,
    events: async (runId, from = 1) => (await open().store.log.read(runId, from)).map(readEvent),
    artifact: async (runId, ref, range) =>
      findArtifact(open().store.artifacts, await read(runId), ref, range),
    verify: async (runId) => open().store.log.verify(runId),
    holder: async (runId) => (await open().store.leases.holder(runId))?.owner ?? startedHere(runId),
    idle: async (runId) => next(await read(runId)) === undefined,
    // Prepared first: what is refused leaves no trace, not even a state folder.
    async start(request, by) {
      const { prepareRun } = await import("../../setup/index.ts");
      const { configsOf } = await import("../configs.ts");
      const { allowDirectEdit } = environment;
      const configs = configsOf(environment).at(place.root);
      // The engine is loaded while git is asked about the base.
      const preparing = prepareRun(
        { place, configs, providers: await providers(), allowDirectEdit },
        request,
        by,
      );
      const [prepared] = await Promise.all([preparing, import("./work.ts")]);
      return (await work()).create(prepared);
    },
    async submit(runId, command) {
      const placed =
        command.type === "exec" ? { ...command, cwd: commandFolder(place.root, command.cwd) } : command;
      await (await work()).submit(runId, placed);
    },
    loop: async (runId, options) => (await work()).loop(runId, options),
    async *watch(runId, from, signal) {
      for await (const { stored } of follow({ log: open().store.log, timers }, runId, from, signal))
        yield stored;
    },
    async resolve(assignment, source) {
      const { refuseUnusableAmong, resolveAssignment } = await import("../../setup/index.ts");
      const resolved = await resolveAssignment(await providers(), assignment, source);
      await refuseUnusableAmong(await providers(), [assignment]);
      return resolved;
    },
    kept: async () => (await keeper()).keptWork(place),
    drop: async (refs) => (await keeper()).dropKeptWork(place, refs),
    sweep: async () => (await keeper()).sweepLeftovers(place, open().store.log),
    [Symbol.asyncDispose]: async () => {
      for (const { store } of opened.splice(0)) await store.close();
    },
  };
}

interface Readable {
  readonly store: Store<RunEvent>;
  read(runId: string): Promise<Run>;
}

/** Whatever a crash left half done in the checkout is finished before anybody looks at it. */
async function finishInterrupted({ repository, stateDir }: Place): Promise<void> {
  const applies = join(stateDir, "apply");
  // One look tells that there is nothing, before anything is loaded for it.
  if (!repository || !existsSync(applies) || readdirSync(applies).length === 0) return;
  const { recoverApplies } = await import("../../checkout/apply/index.ts");
  await recoverApplies(repository);
}
