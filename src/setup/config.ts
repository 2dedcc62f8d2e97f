// Looking at the configuration and changing it.
import { approvalModes, fail } from "../contract/index.ts";
import { keyPath, type Setup } from "../contract/setup/index.ts";
import { overruled, standingPolicy, userPolicy } from "../crew/policy/index.ts";
import { findOwnPlace } from "../git/index.ts";
import type { SetupWorld } from "./world.ts";

function jsonOrText(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch (error) {
    if (error instanceof SyntaxError) return value;
    throw error;
  }
}

export function createConfigSetup({
  configs,
}: SetupWorld): Pick<Setup, "config" | "setConfig" | "setPolicy"> {
  return {
    async config(folder) {
      const { root } = await findOwnPlace(folder);
      const { user, repo } = configs.at(root);
      return {
        userFile: configs.userFile(),
        repoFile: configs.repoFile(root),
        user,
        repo,
        policy: standingPolicy({ user, repo }),
        overruled: overruled(userPolicy(user.policy), repo.policy),
      };
    },
    async setConfig(key, value) {
      configs.setUser([[keyPath(key), value === undefined ? undefined : jsonOrText(value)]]);
      return { userFile: configs.userFile(), user: configs.user() };
    },
    async setPolicy(mode) {
      if (!approvalModes.some((known) => known === mode))
        fail("invalid_input", `There is no approval policy "${mode}".`, {
          remedy: `Policies: ${approvalModes.join(", ")}`,
        });
      configs.setUser([[["policy", "approvals"], mode]]);
      return userPolicy(configs.user().policy);
    },
  };
}
