// Which configuration is in force: the user's file and the repository's, each checked, neither obeyed blindly.
import { join } from "node:path";
import { repoConfig, userConfig, type Configs, type UserConfig } from "../contract/index.ts";
import { readJsonc } from "./read-jsonc.ts";

export const configPaths = (configDir: string, repoRoot: string) => ({
  user: join(configDir, "config.json"),
  repo: join(repoRoot, ".thehood", "config.json"),
});

export const readUserConfig = (configDir: string): UserConfig =>
  readJsonc(configPaths(configDir, "").user, userConfig) ?? { version: 1 };

export function readConfigs(configDir: string, repoRoot: string): Configs {
  const paths = configPaths(configDir, repoRoot);
  return {
    user: readUserConfig(configDir),
    repo: readJsonc(paths.repo, repoConfig) ?? { version: 1 },
  };
}
