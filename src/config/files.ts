// Which configuration of `thehood` is in force: the user's file and the repository's.
import { join } from "node:path";
import { repoConfig, userConfig, type Configs, type UserConfig } from "../contract/index.ts";
import { createReader } from "./reader.ts";
import { setConfigValues, type ConfigEntry } from "./write.ts";

/** `user`: the user's own file. `repo`: the file in the state folder of one repository. */
export type ConfigScope = "user" | "repo";

export interface ConfigFiles {
  user(): UserConfig;
  at(repoRoot: string): Configs;
  userFile(): string;
  repoFile(repoRoot: string): string;
  setUser(entries: readonly ConfigEntry[]): void;
  set(scope: ConfigScope, repoRoot: string, entries: readonly ConfigEntry[]): void;
}

export function createConfigFiles(configDir: string): ConfigFiles {
  const read = createReader();
  const userFile = (): string => join(configDir, "config.json");
  const repoFile = (repoRoot: string): string => join(repoRoot, ".thehood", "config.json");
  const user = (): UserConfig => read(userFile(), userConfig, { version: 1 });
  return {
    user,
    at: (repoRoot) => ({ user: user(), repo: read(repoFile(repoRoot), repoConfig, { version: 1 }) }),
    userFile,
    repoFile,
    setUser: (entries) => setConfigValues(userFile(), userConfig, entries),
    set: (scope, repoRoot, entries) =>
      scope === "user"
        ? setConfigValues(userFile(), userConfig, entries)
        : setConfigValues(repoFile(repoRoot), repoConfig, entries),
  };
}
