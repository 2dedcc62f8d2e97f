// Opens the runs of one repository: the engine on the real store, with effects on the real rooms.
import type {
  CommandRunner,
  Clock,
  CommandVerdict,
  ProviderRegistry,
  RunEvent,
  Store,
} from "../../contract/index.ts";
import { type Runs, createRuns } from "../../engine/index.ts";
import { type Rooms, createEffects } from "../../engine/effects/index.ts";
import type { SecretOptions } from "../../secrets/index.ts";
import { unknownIn } from "../../machine/index.ts";
import { createIds, openStore, sha256 } from "../../store/index.ts";
import { thisProcess } from "../../system/index.ts";
import type { Repository } from "../../git/index.ts";
import { clock as wallClock, timers } from "../../system/index.ts";
import { ensureExcluded } from "../../checkout/worktree/index.ts";
import { createRooms } from "./rooms.ts";

export interface OpenRunsInput {
  /** The top of the work tree, or the folder itself outside of any. */
  readonly root: string;
  readonly repository: Repository | undefined;
  readonly stateDir: string;
  readonly providers: ProviderRegistry;
  readonly commands: CommandRunner;
  classify(argv: readonly string[]): Promise<CommandVerdict>;
  readonly clock?: Clock;
  /** The user's own rules and exceptions about secrets. */
  readonly secrets?: SecretOptions;
}

export interface OpenRuns extends AsyncDisposable {
  readonly runs: Runs;
  readonly store: Store<RunEvent>;
  readonly rooms: Rooms;
}

export function openRuns(input: OpenRunsInput): OpenRuns {
  const { root, repository, stateDir, providers, commands } = input;
  const clock = input.clock ?? wallClock;
  // Before the first file of ours is there, so that git never sees one (S-7).
  ensureExcluded(repository);
  const store = openStore<RunEvent>(stateDir, { clock, unknownIn });
  const { log, artifacts, leases } = store;
  const rooms = createRooms({
    top: root,
    repository,
    artifacts,
    providers,
    commands,
    classify: (argv) => input.classify(argv),
    ...(input.secrets ? { secrets: input.secrets } : {}),
  });
  const runs = createRuns({
    log,
    artifacts,
    leases,
    effects: createEffects(rooms),
    clock,
    ids: createIds(clock),
    sha256,
    timers,
    text: rooms.text,
    owner: thisProcess(),
  });
  return { runs, store, rooms, [Symbol.asyncDispose]: () => store.close() };
}
