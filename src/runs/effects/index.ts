// Builds what the effects need of one repository from the real rooms.
import type { Artifacts, CommandRunner, CommandVerdict, ProviderRegistry } from "../../contract/index.ts";
import type { Rooms } from "../../engine/effects/index.ts";
import type { SecretOptions } from "../../secrets/index.ts";
import { sha256 } from "../../store/index.ts";
import type { Repository } from "../../git/index.ts";
import { binaryTools } from "../../system/index.ts";
import { createCheckRoom } from "./checks.ts";
import { noWork, noChecks } from "./without-git.ts";
import { createRepositoryRoom } from "./repository.ts";
import { createTextRoom } from "./text.ts";
import { createWorkRoom } from "./work.ts";

export interface RoomsInput {
  readonly root: string;
  /** Absent outside a git repository; then only read-only modes exist. */
  readonly repository: Repository | undefined;
  readonly artifacts: Artifacts;
  readonly providers: ProviderRegistry;
  readonly commands: CommandRunner;
  readonly scratchFolders: readonly string[];
  classify(argv: readonly string[]): Promise<CommandVerdict>;
  /** The user's own rules and exceptions. */
  readonly secrets?: SecretOptions;
}

export function createRooms(input: RoomsInput): Rooms {
  const { root, repository, artifacts, providers, commands, scratchFolders } = input;
  return {
    artifacts,
    providers,
    commands,
    classify: (argv) => input.classify(argv),
    repository: createRepositoryRoom(root, repository),
    work: repository ? createWorkRoom(repository, scratchFolders) : noWork,
    checks: repository ? createCheckRoom(repository, commands, scratchFolders) : noChecks,
    sha256,
    binary: binaryTools,
    text: createTextRoom(input.secrets),
  };
}
