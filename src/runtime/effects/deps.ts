// The parts that the effects of one repository share: the store, the agents, git, and the memory of this process.
import {
  type AllowedDestination,
  type Artifacts,
  type CheckEvidence,
  type CommandPlace,
  type CommandRunner,
  type CommandVerdict,
  type ProviderRegistry,
  type RepositoryState,
  type WorkInTheWay,
  fail,
} from "../../core/contract/index.ts";
import type { SecretOptions } from "../../core/secrets/index.ts";
import type { Repository } from "../../platform/git/index.ts";
import { describeRepository } from "../../workspace/checkout/worktree/index.ts";
import type { Baseline } from "../../workspace/checks/index.ts";
import type { TextPort } from "../engine/index.ts";
import { type Turns, createTurns } from "./turn.ts";
import { createTextPort } from "./redaction.ts";

export interface EarlierResult {
  /** Absent for a result of `checks test`. */
  readonly runId?: string;
  readonly at: number;
  readonly check: CheckEvidence;
}

export interface EffectsInput {
  /** The folder the run works on; the top of the work tree where there is one. */
  readonly root: string;
  /** Absent outside a git repository; then only read-only modes exist. */
  readonly repository: Repository | undefined;
  readonly artifacts: Artifacts;
  readonly providers: ProviderRegistry;
  readonly commands: CommandRunner;
  /** Folders for trees that are checked out to be judged, best first. */
  readonly scratchFolders: readonly string[];
  /** Classifies an argument vector before it may run (S-9). `cwd` is relative to the top of the checkout. */
  classify(argv: readonly string[], cwd: string, where: CommandPlace): Promise<CommandVerdict>;
  /** The user's own rules and exceptions. */
  readonly secrets?: SecretOptions;
  /** The newest result of a check on exactly this tree, from an earlier run of this repository or from `checks test`. */
  earlier?(tree: string, checkId: string): Promise<EarlierResult | undefined>;
  /** Of these paths of the checkout those that hold uncommitted work of a run, as it left them. */
  owners?(paths: readonly string[]): Promise<readonly WorkInTheWay[]>;
  /** The destinations that the user allows now. */
  destinations?(): Promise<readonly AllowedDestination[]>;
}

export interface EffectDeps extends EffectsInput {
  readonly text: TextPort;
  /** Results of checks that this process knows, by tree and check. */
  readonly results: Map<string, Baseline>;
  /** Runs that keep others from applying to the checkout. */
  readonly turns: Turns;
}

export const effectDeps = (input: EffectsInput): EffectDeps => ({
  ...input,
  text: createTextPort(input.secrets),
  results: new Map(),
  turns: createTurns(),
});

/** Fails outside a git repository: nothing can be edited or checked there. */
export function repositoryOf({ repository }: EffectDeps): Repository {
  return (
    repository ??
    fail("not_a_repository", "This folder is not a git repository, so nothing can be edited or checked here.", {
      remedy: "Make one with: git init && git add -A && git commit; or use a read-only mode.",
    })
  );
}

/** null outside a git repository. */
export const stateOf = async ({ repository }: EffectDeps): Promise<RepositoryState | null> =>
  repository ? describeRepository(repository) : null;
