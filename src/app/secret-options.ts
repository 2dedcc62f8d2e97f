// The user's own word on secrets: rules beside ours, and findings that are none. Read from the user's configuration only.
import type { SecretOptions } from "../secrets/index.ts";
import type { UserConfig } from "../contract/index.ts";

export async function secretOptions(config: UserConfig["secrets"]): Promise<SecretOptions> {
  const rules = config?.rules ?? [];
  const allow = config?.allow ?? [];
  if (rules.length === 0 && allow.length === 0) return {};
  const { compileUserRules } = await import("../secrets/index.ts");
  const { sha256 } = await import("../store/index.ts");
  return {
    ...(rules.length > 0 ? { rules: await compileUserRules(rules) } : {}),
    ...(allow.length > 0 ? { allow: { sha256, hashes: new Set(allow) } } : {}),
  };
}
