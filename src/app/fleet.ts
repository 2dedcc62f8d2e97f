// Wires the fleet to this machine: the user's shared store and git keys, and this program as the worker.
import process from "node:process";
import { artifactCache, sharedStoreOf } from "../platform/config/shared-store/index.ts";
import { createFleet } from "../fleet/index.ts";
import { userGitReader } from "../platform/git/user/index.ts";
import type { Fleet } from "../operations/index.ts";
import { configsOf } from "./configs.ts";
import type { Environment } from "./environment.ts";
import { openRepositoryRuns } from "./runs.ts";

export function openFleet(environment: Environment): Fleet {
  const store = sharedStoreOf(environment, configsOf(environment).user());
  return createFleet({
    store,
    async sharedStore() {
      const { openSharedStore } = await import("../platform/store/postgres/index.ts");
      const { url = "", cacheDir = "", ...more } = store ?? {};
      return openSharedStore({ url, cacheDir, ...more });
    },
    openStore: async (folder, shared, mode) => {
      const { openStoreOf } = await import("../runtime/runs/store/index.ts");
      const { locateRepository } = await import("../platform/git/index.ts");
      const { variables } = environment;
      const cacheDir = artifactCache(environment);
      const named = shared && { team: undefined, artifacts: undefined, ...shared, variables, cacheDir };
      return openStoreOf(locateRepository(folder), { sharedStore: async () => named }, { mode });
    },
    keyOf: async (location) => (await import("../runtime/runs/store/index.ts")).repositoryKey(location),
    runs: (folder, packing) => openRepositoryRuns(folder, environment, packing ? { packing } : {}),
    network: async () => (await userGitReader(environment.variables)(environment.home)).network,
    program: [process.execPath, ...process.execArgv, process.argv[1] ?? ""],
    env: process.env,
  });
}
