// The user's own rules on secrets: rules beside ours, and findings that are none. Read from the user's configuration only.
import type { SecretOptions } from "../core/secrets/index.ts";
import type { UserConfig } from "../core/contract/index.ts";
import { configsOf } from "./configs.ts";
import type { Environment } from "./environment.ts";

type Wish = NonNullable<UserConfig["secrets"]>;

async function compile({ rules = [], allow = [] }: Wish): Promise<SecretOptions> {
  const { compileUserRules } = await import("../core/secrets/index.ts");
  const { sha256 } = await import("../platform/store/index.ts");
  return {
    ...(rules.length > 0 ? { rules: await compileUserRules(rules) } : {}),
    ...(allow.length > 0 ? { allow: { sha256, hashes: new Set(allow) } } : {}),
  };
}

/** By the configuration they were made of, which stays the same object until its file changes. */
const compiled = new WeakMap<Wish, Promise<SecretOptions>>();

export function userSecrets(environment: Pick<Environment, "configDir">): Promise<SecretOptions> {
  const wish = configsOf(environment).user().secrets;
  if (!wish) return Promise.resolve({});
  const made = compiled.get(wish) ?? compile(wish);
  compiled.set(wish, made);
  return made;
}
