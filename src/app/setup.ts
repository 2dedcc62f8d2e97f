// Wires the setup of a repository to the configuration files and the providers of the environment.
import type { Setup } from "../core/contract/setup/index.ts";
import { sharedStoreOf } from "../platform/config/shared-store/index.ts";
import { createSetup } from "../runtime/setup/index.ts";
import { configsOf } from "./configs.ts";
import { type Environment, version } from "./environment.ts";
import { createProviders } from "./providers.ts";

export const openSetup = (environment: Environment): Setup =>
  createSetup({
    version,
    configs: configsOf(environment),
    sharedStore: () => sharedStoreOf(environment, configsOf(environment).user()),
    path: environment.variables["PATH"],
    keysAre: async () => (await import("./gateway.ts")).keysAre(environment),
    providers: (root) => createProviders(environment, root),
  });
