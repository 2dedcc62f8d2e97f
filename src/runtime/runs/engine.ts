// The engine on one repository: the real store, with effects on the real rooms.
import type {
  AllowedDestination,
  CommandRunner,
  CommandPlace,
  CommandVerdict,
  ProviderRegistry,
  RunEvent,
  Store,
} from "../../core/contract/index.ts";
import { type Engine, createEngine } from "../engine/index.ts";
import { createEffects, effectDeps } from "../effects/index.ts";
import type { SecretOptions } from "../../core/secrets/index.ts";
import { workInTheWay } from "./integrated-base.ts";
import { earlierCheck } from "./earlier-check.ts";
import { testedCheck } from "./tested-checks.ts";
import { createSealer } from "../../workspace/evidence/index.ts";
import { createIds, createSpool, sha256 } from "../../platform/store/index.ts";
import { clock, thisProcess, timers } from "../../platform/system/index.ts";
import type { RepositoryLocation } from "../../platform/git/index.ts";
import { ensureExcluded, stateFolder } from "../../workspace/checkout/worktree/index.ts";

interface EngineInput extends RepositoryLocation {
  readonly providers: ProviderRegistry;
  readonly commands: CommandRunner;
  /** `cwd` is the folder the command runs in, from the top of the checkout. */
  classify(argv: readonly string[], cwd: string, where: CommandPlace): Promise<CommandVerdict>;
  readonly scratchFolders: readonly string[];
  /** The folder of the user that holds the key and the signed heads; without it no head is signed. */
  readonly evidenceDir?: string;
  readonly version?: string;
  /** Opened for writing, after `makeStateFolder`. */
  readonly store: Store<RunEvent>;
  /** The user's own rules and exceptions about secrets. */
  readonly secrets?: SecretOptions;
  /** The destinations that the user allows now. */
  destinations?(): Promise<readonly AllowedDestination[]>;
}

export interface OpenEngine extends AsyncDisposable {
  readonly engine: Engine;
  readonly store: Store<RunEvent>;
  /** Resolves when every head is pinned, with the problems. */
  sealed(): Promise<readonly string[]>;
}

/** Makes the state folder. Git ignores it before the first file is written there (S-7). */
export function makeStateFolder({ repository }: RepositoryLocation): void {
  if (repository) stateFolder(repository);
  ensureExcluded(repository);
}

export function openEngine(input: EngineInput): OpenEngine {
  const { store: opened, evidenceDir } = input;
  const { log, artifacts, leases } = opened;
  const sealer = evidenceDir === undefined ? undefined : createSealer({ ...input, folder: evidenceDir, clock });
  const sealed = async () => (await sealer?.settle()) ?? [];
  const close = async () => {
    await sealed();
    await opened.close();
  };
  const store = { ...opened, close };
  const earlier = async (tree: string, checkId: string) => {
    const [run, tested] = [await earlierCheck(log, tree, checkId), testedCheck(input.stateDir, tree, checkId)];
    return run && tested ? (run.at > tested.at ? run : tested) : (run ?? tested);
  };
  const { repository } = input;
  const owners = repository
    ? { owners: (paths: readonly string[]) => workInTheWay(repository, log, paths) }
    : undefined;
  const deps = effectDeps({ ...input, artifacts, earlier, ...owners });
  const engine = createEngine({
    log,
    appended: (stored) => {
      for (const { runId, event } of stored) if (event.type === "checkout_looked") deps.turns.end(runId);
      sealer?.sign(stored);
    },
    artifacts,
    leases,
    spool: createSpool(input.stateDir),
    perform: createEffects(deps),
    clock,
    ids: createIds(clock),
    sha256,
    timers,
    text: deps.text,
    owner: thisProcess(),
    ...(input.version === undefined ? {} : { version: input.version }),
  });
  return { engine, store, sealed, [Symbol.asyncDispose]: close };
}
