// The config files of `oracle`: the user's own, and the project's, which has fewer keys.
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { z } from "zod";
import { fail, nearest } from "../../core/contract/index.ts";
import type { OracleProjectConfig, OracleUserConfig } from "../../core/contract/transport/index.ts";
import { oracleProjectConfig, oracleUserConfig } from "../../core/contract/transport/schema/index.ts";
import { fromUpstream, plainJson } from "./oracle-upstream.ts";
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

const read = createConfigReader(plainJson);
const readRaw = createConfigReader(plainJson);

/** The config of steipete/oracle has the same path: its keys are translated, and those without a meaning here are left out. */
const userConfig = z.preprocess((raw) => fromUpstream(raw, oracleUserConfig.shape).config, oracleUserConfig);
const projectConfig = z.preprocess((raw) => fromUpstream(raw, oracleProjectConfig.shape).config, oracleProjectConfig);

export const readOracleUserConfig = (home: string): OracleUserConfig => read(join(home, "config.json"), userConfig, {});

const notesOf = (path: string, shape: object): string[] => {
  const { ignored } = fromUpstream(readRaw(path, z.unknown(), {}), shape);
  const named = ignored.map((name) => {
    const meant = name.includes(".") ? undefined : nearest(name, Object.keys(shape));
    return meant === undefined || meant === name ? name : `${name} (did you mean ${meant}?)`;
  });
  return named.length === 0 ? [] : [`${path}: no effect here: ${named.join(", ")}`];
};

interface OracleConfigs {
  readonly user: OracleUserConfig;
  readonly project: OracleProjectConfig;
  /** One line for each file with keys that are not used. */
  readonly notes: readonly string[];
}

export function readOracleConfigs(home: string, cwd: string): OracleConfigs {
  const projectPath = join(projectRoot(cwd), ".oracle", "config.json");
  const user = readOracleUserConfig(home);
  const userPath = join(home, "config.json");
  const notes = notesOf(userPath, oracleUserConfig.shape);
  if (resolve(projectPath) === resolve(userPath)) return { user, project: {}, notes };
  const project = confined(read(projectPath, projectConfig, {}), projectPath);
  return { user, project, notes: [...notes, ...notesOf(projectPath, oracleProjectConfig.shape)] };
}
