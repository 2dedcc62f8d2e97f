// The engine on one repository's real rooms: starts runs, takes decisions, advances.
import type { RunEvent, Store, UserCommand } from "../../contract/index.ts";
import { createEffects } from "../../engine/effects/index.ts";
import { createRuns } from "../../engine/index.ts";
import { compactStatus } from "../../machine/index.ts";
import type { LoopEnd, RunDesk, StartRun } from "../../operations/index.ts";
import { createIds, openStore, sha256, thisProcess } from "../../store/index.ts";
import { createCommandRunner } from "../../workspace/run/index.ts";
import { ensureExcluded, stateFolder } from "../../workspace/worktree/index.ts";
import type { Environment } from "../environment.ts";
import { commandJudge } from "../judges.ts";
import type { Place } from "../place.ts";
import { createProviders } from "../providers.ts";
import { createRooms } from "../runs/rooms.ts";
import { resolveAssignment } from "../setup/crew.ts";
import { prepareRun } from "./prepare.ts";
import { clock, timers } from "./world.ts";

type Work = Pick<RunDesk, "start" | "submit" | "loop" | "resolve"> & { readonly store: Store<RunEvent> };

export async function openWork(place: Place, environment: Environment): Promise<Work> {
  if (place.repository) {
    stateFolder(place.repository);
    ensureExcluded(place.repository);
  }
  const store = openStore<RunEvent>(place.stateDir, { clock });
  const providers = createProviders();
  const rooms = createRooms({
    top: place.root,
    repository: place.repository,
    artifacts: store.artifacts,
    providers,
    commands: createCommandRunner(),
    classify: async (argv) => (await commandJudge()).classifyArgv(argv, { root: place.root }),
  });
  const runs = createRuns({
    log: store.log,
    artifacts: store.artifacts,
    leases: store.leases,
    effects: createEffects(rooms),
    clock,
    ids: createIds(clock),
    sha256,
    timers,
    text: rooms.text,
    owner: thisProcess(),
  });
  return {
    start: async (request: StartRun) =>
      runs.create(await prepareRun(place, environment, providers, request)).runId,
    submit: async (runId: string, command: UserCommand) => void runs.submit(runId, command),
    async loop(runId, { maxCycles, signal, watcher }): Promise<LoopEnd> {
      const { run, stop } = await runs.loop(runId, {
        maxCycles,
        signal,
        event: (stored) => watcher?.event?.(stored, compactStatus(runs.read(runId))),
        progress: (line) => watcher?.progress?.(line),
      });
      return { runId, stop, status: compactStatus(run) };
    },
    resolve: async (assignment, source) => resolveAssignment(providers, assignment, source),
    store,
  };
}
