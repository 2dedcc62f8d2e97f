// Builds the ports of the effects for one repository from the real rooms.
import type {
  Artifacts,
  CommandRunner,
  CommandVerdict,
  ProviderRegistry,
} from "../../../core/contract/index.ts";
import type { EffectPorts } from "../../engine/effects/index.ts";
import type { SecretOptions } from "../../../core/secrets/index.ts";
import { sha256 } from "../../../platform/store/index.ts";
import type { Repository } from "../../../platform/git/index.ts";
import { binaryTools } from "../../../platform/system/index.ts";
import { createChecksPort } from "./checks.ts";
import { noWork, noChecks } from "./without-git.ts";
import { createRepositoryPort } from "./repository.ts";
import { createTextPort } from "./text.ts";
import { createWorktreePort } from "./worktree.ts";

export interface EffectPortsInput {
  readonly root: string;
  /** Absent outside a git repository; then only read-only modes exist. */
  readonly repository: Repository | undefined;
  readonly artifacts: Artifacts;
  readonly providers: ProviderRegistry;
  readonly commands: CommandRunner;
  readonly scratchFolders: readonly string[];
  /** `cwd` is the folder the command runs in, from the top of the checkout. */
  classify(argv: readonly string[], cwd: string): Promise<CommandVerdict>;
  /** The user's own rules and exceptions. */
  readonly secrets?: SecretOptions;
}

export function createEffectPorts(input: EffectPortsInput): EffectPorts {
  const { root, repository, artifacts, providers, commands, scratchFolders } = input;
  return {
    artifacts,
    providers,
    commands,
    classify: (argv, cwd) => input.classify(argv, cwd),
    repository: createRepositoryPort(root, repository),
    work: repository ? createWorktreePort(repository, scratchFolders) : noWork,
    checks: repository ? createChecksPort(repository, commands, scratchFolders) : noChecks,
    sha256,
    binary: binaryTools,
    text: createTextPort(input.secrets),
  };
}
