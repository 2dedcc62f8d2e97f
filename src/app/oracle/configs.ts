// The two config files: the user's own, and the project's, which may say less.
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fail } from "../../contract/index.ts";
import type { ProjectConfig, UserConfig } from "../../contract/transport/index.ts";
import { projectConfigSchema, userConfigSchema } from "../../contract/transport/schema/index.ts";
import { readJsonc } from "../../config/index.ts";

/** The folder with `.git` around the current one; without a repository the current one itself. */
export function projectRoot(cwd: string): string {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder;
    if (dirname(folder) === folder) return resolve(cwd);
  }
}

/** Patterns of a project reach no further than the project. */
function confined(config: ProjectConfig, path: string): ProjectConfig {
  const far = [...(config.file ?? []), ...(config.browserBundleFiles ?? [])]
    .map((pattern) => pattern.replace(/^!/, "").replaceAll("\\", "/"))
    .find(
      (pattern) => pattern.startsWith("/") || /^[a-z]:/i.test(pattern) || pattern.split("/").includes(".."),
    );
  if (far !== undefined)
    return fail("invalid_config", `${path}: "${far}" leads out of the project.`, {
      remedy: "A project's config may only name files inside the project.",
    });
  return config;
}

export const readUserConfig = (home: string): UserConfig =>
  readJsonc(join(home, "config.json"), userConfigSchema) ?? {};

export function readConfigs(home: string, cwd: string): { user: UserConfig; project: ProjectConfig } {
  const userPath = join(home, "config.json");
  const projectPath = join(projectRoot(cwd), ".oracle", "config.json");
  const user = readUserConfig(home);
  if (resolve(projectPath) === resolve(userPath)) return { user, project: {} };
  const project = readJsonc(projectPath, projectConfigSchema) ?? {};
  return { user, project: confined(project, projectPath) };
}
