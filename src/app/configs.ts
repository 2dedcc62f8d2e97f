// The configuration files of this process, one reader for each folder, and the user's rules on secrets, which come from the
// user's configuration only.
import { createConfigFiles, type ConfigFiles, type Environment } from "../platform/config/index.ts";
import type { SecretOptions } from "../core/secrets/index.ts";
import type { UserConfig } from "../core/contract/index.ts";

const opened = new Map<string, ConfigFiles>();

export function configsOf({ configDir }: Pick<Environment, "configDir">): ConfigFiles {
  const files = opened.get(configDir) ?? createConfigFiles(configDir);
  opened.set(configDir, files);
  return files;
}

type SecretSettings = NonNullable<UserConfig["secrets"]>;

async function compile({ rules = [], allow = [] }: SecretSettings): Promise<SecretOptions> {
  const { compileUserRules } = await import("../core/secrets/index.ts");
  const { sha256 } = await import("../platform/store/index.ts");
  return {
    ...(rules.length > 0 ? { rules: await compileUserRules(rules) } : {}),
    ...(allow.length > 0 ? { allow: { sha256, hashes: new Set(allow) } } : {}),
  };
}

/** The compiled rules by their settings; the settings are the same object until the file changes. */
const compiled = new WeakMap<SecretSettings, Promise<SecretOptions>>();

export function userSecrets(environment: Pick<Environment, "configDir">): Promise<SecretOptions> {
  const settings = configsOf(environment).user().secrets;
  if (!settings) return Promise.resolve({});
  const made = compiled.get(settings) ?? compile(settings);
  compiled.set(settings, made);
  return made;
}
