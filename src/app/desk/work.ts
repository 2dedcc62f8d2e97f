// The engine on one repository's real rooms: starts runs, takes decisions, advances.
import type { CreateRun, ProviderRegistry, RunEvent, Store, UserCommand } from "../../contract/index.ts";
import { compactStatus, type Run } from "../../machine/index.ts";
import type { LoopEnd, RepositoryRuns } from "../../operations/index.ts";
import { stateFolder } from "../../checkout/worktree/index.ts";
import type { Environment } from "../environment.ts";
import { commandJudge } from "../../judges/index.ts";
import { lateRunner } from "../late-runner.ts";
import type { Place } from "../../git/index.ts";
import { openRuns } from "../runs/index.ts";
import { userSecrets } from "../secret-options.ts";

type Work = Pick<RepositoryRuns, "submit" | "loop"> & {
  readonly store: Store<RunEvent>;
  read(runId: string): Promise<Run>;
  create(run: Omit<CreateRun, "type">): Promise<string>;
};

/** Opens the store for writing: from here on there is a state folder. */
export async function openWork(
  place: Place,
  providers: ProviderRegistry,
  environment: Environment,
): Promise<Work> {
  if (place.repository) stateFolder(place.repository);
  const { runs, store } = openRuns({
    ...place,
    providers,
    secrets: await userSecrets(environment),
    commands: lateRunner(environment),
    classify: async (argv) => (await commandJudge()).classifyArgv(argv, { root: place.root }),
  });
  return {
    store,
    read: (runId) => runs.read(runId),
    create: async (run) => (await runs.create(run)).runId,
    submit: async (runId: string, command: UserCommand) => void (await runs.submit(runId, command)),
    async loop(runId, { maxCycles, signal, watcher, waitMs, besideOnly }): Promise<LoopEnd> {
      const { run, stop } = await runs.loop(runId, {
        maxCycles,
        waitMs,
        besideOnly,
        signal,
        event: (stored, now) => watcher?.event?.(stored, () => compactStatus(now)),
        progress: (line) => watcher?.progress?.(line),
      });
      return { runId, stop, status: compactStatus(run) };
    },
  };
}
