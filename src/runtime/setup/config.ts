// Looking at the configuration and changing it.
import { approvalModes, fail, parseJson } from "../../core/contract/index.ts";
import { keyPath, type CheckScope, type ChecksChanged, type Setup } from "../../core/contract/setup/index.ts";
import { overruled, effectivePolicy, userPolicy } from "../../core/crew/policy/index.ts";
import { locateTrustedRepository } from "../../platform/git/index.ts";
import { previewConfigIn } from "../../platform/config/index.ts";
import { originsOf } from "./origins.ts";
import type { SetupDeps } from "./deps.ts";

function jsonOrText(value: string): unknown {
  const parsed = parseJson(value);
  return parsed === undefined ? value : parsed;
}

const previewNote = (file: string): string[] =>
  previewConfigIn(file) === undefined
    ? []
    : [`${file} is of the public preview and is not used: take it over with thehood init --import`];

export function createConfigSetup({
  configs,
}: SetupDeps): Pick<
  Setup,
  | "config"
  | "origins"
  | "setConfig"
  | "setPolicy"
  | "addCheck"
  | "removeCheck"
  | "allowDestination"
  | "revokeDestination"
> {
  const destinations = () => configs.user().destinations ?? [];
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
      const { root } = await locateTrustedRepository(folder);
      const rest = ownChecks(root, scope).filter(({ id }) => id !== check.id);
      return writeChecks(root, scope, [...rest, check]);
    },
    async removeCheck(folder, id, scope) {
      const { root } = await locateTrustedRepository(folder);
      const known = ownChecks(root, scope);
      const rest = known.filter((check) => check.id !== id);
      if (rest.length === known.length)
        fail("not_found", `No check "${id}" was added here.`, {
          remedy: `Added: ${known.map((one) => one.id).join(", ") || "none"}. One of your team: --shared`,
        });
      return writeChecks(root, scope, rest);
    },
    async config(folder) {
      const { root } = await locateTrustedRepository(folder);
      const { user, repo } = configs.at(root);
      return {
        userFile: configs.userFile(),
        repoFile: configs.repoFile(root),
        user,
        repo,
        policy: effectivePolicy({ user, repo }),
        overruled: overruled(userPolicy(user.policy), repo.policy),
        notes: previewNote(configs.repoFile(root)),
      };
    },
    origins: async (folder) => originsOf(configs, (await locateTrustedRepository(folder)).root),
    async setConfig(key, value) {
      configs.setUser([[keyPath(key), value === undefined ? undefined : jsonOrText(value)]]);
      return { userFile: configs.userFile(), user: configs.user() };
    },
    async allowDestination(allowed) {
      const others = destinations().filter(
        ({ provider, place }) => provider !== allowed.provider || place !== allowed.place,
      );
      configs.setUser([[["destinations"], [...others, allowed]]]);
    },
    async revokeDestination(provider, place) {
      const before = destinations();
      const meant = (one: (typeof before)[number]) =>
        one.provider === provider && (place === undefined || one.place === place);
      const revoked = before.filter(meant);
      if (revoked.length === 0)
        fail("not_found", `You allowed no destination "${place === undefined ? provider : `${provider} ${place}`}".`, {
          remedy: `Allowed: ${before.map((one) => `${one.provider} ${one.place}`).join(", ") || "none"}.`,
        });
      const rest = before.filter((one) => !meant(one));
      configs.setUser([[["destinations"], rest.length > 0 ? rest : undefined]]);
      return { revoked, allowed: rest };
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
