// Looking at the configuration and changing it.
import { approvalModes, fail } from "../contract/index.ts";
import { keyPath, type CheckScope, type ChecksChanged, type Setup } from "../contract/setup/index.ts";
import { overruled, standingPolicy, userPolicy } from "../crew/policy/index.ts";
import { findOwnPlace } from "../git/index.ts";
import { originsOf } from "./origins.ts";
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
}: SetupWorld): Pick<Setup, "config" | "origins" | "setConfig" | "setPolicy" | "addCheck" | "removeCheck"> {
  const ownChecks = (root: string, scope: CheckScope) =>
    (scope === "shared" ? configs.shared(root).checks : configs.repo(root).policy?.checks) ?? [];
  const writeChecks = (root: string, scope: CheckScope, checks: readonly object[]): ChecksChanged => {
    const path = scope === "shared" ? ["checks"] : ["policy", "checks"];
    configs.set(scope, root, [[path, checks]]);
    const file = scope === "shared" ? configs.sharedFile(root) : configs.repoFile(root);
    return { file, checks: ownChecks(root, scope) };
  };
  return {
    async addCheck(folder, check, scope) {
      const { root } = await findOwnPlace(folder);
      const rest = ownChecks(root, scope).filter(({ id }) => id !== check.id);
      return writeChecks(root, scope, [...rest, check]);
    },
    async removeCheck(folder, id, scope) {
      const { root } = await findOwnPlace(folder);
      const known = ownChecks(root, scope);
      const rest = known.filter((check) => check.id !== id);
      if (rest.length === known.length)
        fail("not_found", `No check "${id}" was added here.`, {
          remedy: `Added: ${known.map((one) => one.id).join(", ") || "none"}. One of your team: --shared`,
        });
      return writeChecks(root, scope, rest);
    },
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
    origins: async (folder) => originsOf(configs, (await findOwnPlace(folder)).root),
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
