// The config files of `oracle`: the user's own, and the project's, which has fewer keys.
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fail } from "../../core/contract/index.ts";
import type { OracleProjectConfig, OracleUserConfig } from "../../core/contract/transport/index.ts";
import { oracleProjectConfig, oracleUserConfig } from "../../core/contract/transport/schema/index.ts";
import { createConfigReader } from "./read-jsonc.ts";

/** The folder with `.git` around the current one; without a repository the current one itself. */
function projectRoot(cwd: string): string {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder;
    if (dirname(folder) === folder) return resolve(cwd);
  }
}

/** Patterns of a project reach no further than the project. */
function confined(config: OracleProjectConfig, path: string): OracleProjectConfig {
  const far = [...(config.file ?? []), ...(config.browserBundleFiles ?? [])]
    .map((pattern) => pattern.replace(/^!/, "").replaceAll("\\", "/"))
    .find((pattern) => pattern.startsWith("/") || /^[a-z]:/i.test(pattern) || pattern.split("/").includes(".."));
  if (far !== undefined)
    return fail("invalid_config", `${path}: "${far}" leads out of the project.`, {
      remedy: "A project's config may only name files inside the project.",
    });
  return config;
}

const read = createConfigReader();

export const readOracleUserConfig = (home: string): OracleUserConfig =>
  read(join(home, "config.json"), oracleUserConfig, {});

interface OracleConfigs {
  readonly user: OracleUserConfig;
  readonly project: OracleProjectConfig;
}

export function readOracleConfigs(home: string, cwd: string): OracleConfigs {
  const projectPath = join(projectRoot(cwd), ".oracle", "config.json");
  const user = readOracleUserConfig(home);
  if (resolve(projectPath) === resolve(home, "config.json")) return { user, project: {} };
  return { user, project: confined(read(projectPath, oracleProjectConfig, {}), projectPath) };
}
