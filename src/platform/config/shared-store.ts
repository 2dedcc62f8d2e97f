// The shared store of this user: the environment's word first, then the configuration. A repository names none.
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { UserConfig } from "../../core/contract/index.ts";

export interface Environment {
  readonly home: string;
  /** The folder of the user's configuration. */
  readonly configDir: string;
  /** The folder for files of this program for the user, such as the stored token of the server. */
  readonly stateDir: string;
  /** For the command runner, which keeps the search path, the locale and the time zone of it, and nothing else. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Lets a local implementer edit the checkout itself. */
  readonly allowDirectEdit: boolean;
}

/** A database that several machines share, as the user configured it. */
export interface SharedStore {
  readonly url: string;
  readonly team: string | undefined;
  readonly artifacts: string | undefined;
  readonly variables: Environment["variables"];
  /** A folder of this machine for artifacts. */
  readonly cacheDir: string;
}

/** Searches the text of the configuration: most users share no store, and a fast command must not load the parser. */
export function mayShareStore({ variables, configDir }: Environment): boolean {
  if (variables["THEHOOD_DATABASE_URL"]) return true;
  const file = join(configDir, "config.json");
  const found = statSync(file, { throwIfNoEntry: false });
  return found?.isFile() === true && readFileSync(file, "utf8").includes('"store"');
}

export function sharedStoreOf({ variables, home }: Environment, { store }: UserConfig): SharedStore | undefined {
  const url = variables["THEHOOD_DATABASE_URL"] || store?.url;
  if (!url) return undefined;
  return {
    url,
    team: variables["THEHOOD_TEAM"] || store?.team,
    artifacts: variables["THEHOOD_ARTIFACTS_URL"] || store?.artifacts,
    variables,
    cacheDir: artifactCache({ variables, home }),
  };
}

export function artifactCache({ variables, home }: Pick<Environment, "variables" | "home">): string {
  const cache = variables["XDG_CACHE_HOME"];
  return join(cache?.startsWith("/") ? cache : join(home, ".cache"), "thehood", "artifacts");
}
