// The shared store of this user: the environment's word first, then the configuration. The repository has none.
import { join } from "node:path";
import type { SharedStore } from "../runs/index.ts";
import { configsOf } from "./configs.ts";
import type { Environment } from "./environment.ts";

export function sharedStore(environment: Environment): SharedStore | undefined {
  const { variables, home } = environment;
  const { store } = configsOf(environment).user();
  const url = variables["THEHOOD_DATABASE_URL"] || store?.url;
  if (!url) return undefined;
  const cache = variables["XDG_CACHE_HOME"];
  return {
    url,
    team: variables["THEHOOD_TEAM"] || store?.team,
    artifacts: variables["THEHOOD_ARTIFACTS_URL"] || store?.artifacts,
    variables,
    cacheDir: join(cache?.startsWith("/") ? cache : join(home, ".cache"), "thehood", "artifacts"),
  };
}
