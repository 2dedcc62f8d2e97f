// Wires setting up: the configuration files, and the providers as the environment gives them.
import type { Setup } from "../contract/setup/index.ts";
import { createSetup } from "../setup/index.ts";
import { configsOf } from "./configs.ts";
import type { Environment } from "./environment.ts";
import { createProviders } from "./providers.ts";
import { version } from "./version.ts";

export const openSetup = (environment: Environment): Setup =>
  createSetup({
    version,
    configs: configsOf(environment),
    path: environment.variables["PATH"],
    providers: (root) => createProviders(environment, root),
  });
