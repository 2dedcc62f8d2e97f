// Which configuration of `thehood` is in force: the user's file and the repository's.
import { join } from "node:path";
import { z } from "zod";
import {
  fail,
  isPreviewConfig,
  repoConfig,
  sharedConfig,
  userConfig,
  type Configs,
  type RepoConfig,
  type SharedConfig,
  type UserConfig,
} from "../../core/contract/index.ts";
import { createConfigReader, readJsonc } from "./read-jsonc.ts";
import { replaceConfig, setConfigValues, type ConfigEntry } from "./write.ts";

/** `user`: the user's own file. `repo`: the private file of one repository. `shared`: the file that it tracks. */
export type ConfigScope = "user" | "repo" | "shared";

export interface ConfigFiles {
  user(): UserConfig;
  at(repoRoot: string): Configs;
  userFile(): string;
  repoFile(repoRoot: string): string;
  sharedFile(repoRoot: string): string;
  /** The private file alone, without the settings of the shared one. */
  repo(repoRoot: string): RepoConfig;
  shared(repoRoot: string): SharedConfig;
  setUser(entries: readonly ConfigEntry[]): void;
  /** A private file that holds these entries and nothing of the one before. */
  replaceRepo(repoRoot: string, entries: readonly ConfigEntry[]): void;
  set(scope: ConfigScope, repoRoot: string, entries: readonly ConfigEntry[]): void;
}

export function createConfigFiles(configDir: string): ConfigFiles {
  const read = createConfigReader();
  const userFile = (): string => join(configDir, "config.json");
  const repoFile = (repoRoot: string): string => join(repoRoot, ".thehood", "config.json");
  const user = (): UserConfig => read(userFile(), userConfig, { version: 1 });
  const sharedFile = (repoRoot: string): string => join(repoRoot, "thehood.json");
  const repo = (repoRoot: string): RepoConfig => read(repoFile(repoRoot), repoConfig, { version: 1 }, isPreviewConfig);
  const shared = (repoRoot: string): SharedConfig => read(sharedFile(repoRoot), sharedConfig, { version: 1 });
  return {
    user,
    repo,
    shared,
    at: (repoRoot) => ({ user: user(), repo: together(repo(repoRoot), shared(repoRoot)) }),
    userFile,
    repoFile,
    sharedFile,
    setUser: (entries) => setConfigValues(userFile(), userConfig, entries),
    replaceRepo: (repoRoot, entries) => replaceConfig(repoFile(repoRoot), repoConfig, entries),
    set(scope, repoRoot, entries) {
      if (scope === "user") setConfigValues(userFile(), userConfig, entries);
      else if (scope === "repo") {
        refusePreview(repoFile(repoRoot));
        setConfigValues(repoFile(repoRoot), repoConfig, entries);
      } else setConfigValues(sharedFile(repoRoot), sharedConfig, entries);
    },
  };
}

/** The configuration of the public preview in a file; undefined when it holds none. */
export function previewConfigIn(file: string): unknown {
  const value = readJsonc(file, z.unknown());
  return isPreviewConfig(value) ? value : undefined;
}

function refusePreview(file: string): void {
  if (previewConfigIn(file) !== undefined)
    fail("invalid_config", `${file} is the configuration of the public preview.`, {
      remedy: "Take it over first: thehood init --import. Or set it for all your repositories with --user.",
    });
}

/** Both files only add requirements, so their lists are concatenated. */
function together(repo: RepoConfig, shared: SharedConfig): RepoConfig {
  const lists = (["checks", "protectedPaths", "disallowedPaths"] as const).flatMap((key) =>
    shared[key] ? [[key, [...shared[key], ...(repo.policy?.[key] ?? [])]]] : [],
  );
  return lists.length === 0 ? repo : { ...repo, policy: { ...repo.policy, ...Object.fromEntries(lists) } };
}
