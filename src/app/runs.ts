// Wires the runs of a repository to the user's configuration and to the providers and programs of this machine.
import { temporaryRoot } from "../platform/system/index.ts";
import { join } from "node:path";
import process from "node:process";
import type { RepositoryRuns } from "../operations/index.ts";
import { mayShareStore, sharedStoreOf } from "../platform/config/shared-store/index.ts";
import { openRuns, type RunsDeps } from "../runtime/runs/index.ts";
import { evidenceDir, type Environment, version } from "./environment.ts";
import { lateRunner } from "./late-runner.ts";
import { startedHere } from "../runtime/runs/background/index.ts";

function scratchFolders({ variables, home }: Environment): string[] {
  const cache = variables["XDG_CACHE_HOME"];
  return [
    join(cache?.startsWith("/") ? cache : join(home, ".cache"), "thehood", "scratch"),
    join(temporaryRoot(), `thehood-scratch-${process.getuid?.() ?? "user"}`),
  ];
}

const sharedStore = async (environment: Environment) =>
  mayShareStore(environment)
    ? sharedStoreOf(environment, (await import("./configs.ts")).configsOf(environment).user())
    : undefined;

/** `worker`: this process advances runs of the fleet itself. */
export function openRepositoryRuns(
  folder: string,
  environment: Environment,
  worker?: Pick<RunsDeps, "packing">,
): Promise<RepositoryRuns> {
  return openRuns(folder, {
    ...(worker ?? {
      offer: async (runId) => {
        const store = await sharedStore(environment);
        return store ? (await import("../fleet/index.ts")).offerRemote(store, runId) : false;
      },
      waits: async (runIds) => {
        const store = await sharedStore(environment);
        return store ? (await import("../fleet/index.ts")).remoteWaits(store, runIds) : new Map();
      },
    }),
    providers: async (root) => (await import("./providers.ts")).createProviders(environment, root),
    configs: async (root) => (await import("./configs.ts")).configsOf(environment).at(root),
    secrets: async () => (await import("./configs.ts")).userSecrets(environment),
    async classify(argv, root, cwd, where) {
      const { commandJudge, workspaceOf } = await import("../workspace/judge/index.ts");
      return (await commandJudge()).classifyArgv(argv, { ...(await workspaceOf(root, cwd)), where });
    },
    sharedStore: () => sharedStore(environment),
    commands: lateRunner(environment),
    scratchFolders: scratchFolders(environment),
    evidenceDir: evidenceDir(environment),
    author: async (root) => {
      const { userGitReader } = await import("../oracle/transport/index.ts");
      return (await userGitReader(environment.variables)(root)).author;
    },
    network: async (root) => {
      const { userGitReader } = await import("../oracle/transport/index.ts");
      return { git: (await userGitReader(environment.variables)(root)).network, variables: environment.variables };
    },
    notify: async (notice, root) => (await import("./notices.ts")).notifyUser(notice, root, environment),
    version,
    warn: (line) => void process.stderr.write(`thehood: ${line}\n`),
    allowDirectEdit: environment.allowDirectEdit,
    remember: async (root) =>
      (await import("../runtime/runs/repositories/index.ts")).rememberRepository(environment.stateDir, root),
    startedHere,
  });
}
