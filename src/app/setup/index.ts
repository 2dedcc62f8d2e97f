// Setting up: what operations can ask about the machine, the crew and the configuration.
import process from "node:process";
import {
  approvalModes,
  assignment as assignmentSchema,
  fail,
  repoConfig,
  roleTable,
  userConfig,
  type Role,
} from "../../contract/index.ts";
import { overruled, standingPolicy, userPolicy } from "../../crew/policy/index.ts";
import { modelAccess } from "../../crew/access/index.ts";
import type { Setup } from "../../operations/index.ts";
import { ensureExcluded, stateFolder } from "../../checkout/worktree/index.ts";
import { configPaths, readConfigs, readUserConfig, setConfigValue } from "../../config/index.ts";
import type { Environment } from "../environment.ts";
import { findOwnPlace, findPlace } from "../../git/index.ts";
import { createProviders } from "../providers.ts";
import { version } from "../version.ts";
import { lookAt, refuseUnusable } from "./agents.ts";
import { crewRows, refuseSelfReview, resolveAssignment, resolveCrew, wantedCrew } from "./crew.ts";
import { standingCrew } from "./fill.ts";
import { providerRow } from "./rows.ts";
import { teamAt, teamsHere } from "./teams.ts";

function knownRole(name: string): Role {
  const role = (Object.keys(roleTable) as Role[]).find((candidate) => candidate === name);
  if (role && !roleTable[role].runtime) return role;
  return fail(
    "invalid_input",
    role ? `The ${role} is runtime code and cannot be assigned.` : `There is no role "${name}".`,
    {
      remedy: `Roles: ${Object.keys(roleTable)
        .filter((candidate) => candidate !== "integrator")
        .join(", ")}`,
    },
  );
}

/** `providers.codex-cli.program`; a name with dots in it stands in quotes. */
function keyPath(key: string): string[] {
  const parts = [...key.matchAll(/"([^"]+)"|([^."]+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
  const whole = parts.map((part) => (part.includes(".") ? `"${part}"` : part)).join(".");
  if (parts.length === 0 || whole !== key.replaceAll(/"([^".]+)"/g, "$1"))
    fail("invalid_input", `"${key.slice(0, 100)}" is not the path of a value.`, {
      remedy: "Write it with dots, for example policy.fanoutParallel or providers.codex-cli.program.",
    });
  return parts;
}

function jsonOrText(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch (error) {
    if (error instanceof SyntaxError) return value;
    throw error;
  }
}

export function createSetup(environment: Environment): Setup {
  const configs = (root: string) => readConfigs(environment.configDir, root);
  const providersAt = (root: string) => createProviders(environment, root);

  /** Writes role assignments, after the whole crew that would result has been looked at. */
  async function assign(
    root: string,
    wishes: Readonly<Partial<Record<Role, string>>>,
    scope: "repo" | "user",
  ) {
    const before = configs(root);
    const after = { ...before, [scope]: { ...before[scope], roles: { ...before[scope].roles, ...wishes } } };
    refuseSelfReview(await resolveCrew(providersAt(root), wantedCrew(after), () => undefined));
    const paths = configPaths(environment.configDir, root);
    for (const [role, agent] of Object.entries(wishes))
      setConfigValue(paths[scope], scope === "user" ? userConfig : repoConfig, ["roles", role], agent);
  }

  async function rowsAt(root: string) {
    const registry = providersAt(root);
    const agents = await lookAt(await registry.list());
    return crewRows(registry, await standingCrew(wantedCrew(configs(root)), registry, agents), agents);
  }

  return {
    async init(folder) {
      const place = await findOwnPlace(folder);
      if (!place.repository) return { folder: place.stateDir, exclude: "not_git_repo" };
      const made = stateFolder(place.repository);
      return { folder: made, exclude: ensureExcluded(place.repository) };
    },
    async doctor(folder) {
      const place = findPlace(folder);
      const { examine } = await import("./doctor.ts");
      return {
        version,
        node: process.versions.node,
        repo: place.root,
        ...(await examine(place, environment)),
      };
    },
    roles: async (folder) => rowsAt((await findOwnPlace(folder)).root),
    async setRole(folder, role, agent, scope) {
      const place = await findOwnPlace(folder);
      const known = knownRole(role);
      const parsed = assignmentSchema.safeParse(agent);
      if (!parsed.success)
        fail("invalid_input", `"${agent}" is not an assignment.`, {
          remedy: "Write provider:model, for example stub:default.",
        });
      const registry = providersAt(place.root);
      const resolved = await resolveAssignment(registry, agent, scope);
      await refuseUnusable(registry, [resolved.provider]);
      if (scope === "repo" && place.repository) {
        stateFolder(place.repository);
        ensureExcluded(place.repository);
      }
      await assign(place.root, { [known]: agent }, scope);
      return resolved;
    },
    async setRoles(folder, wishes, scope) {
      const place = await findOwnPlace(folder);
      const registry = providersAt(place.root);
      const agents = Object.values(wishes).flatMap((agent) => agent ?? []);
      await refuseUnusable(
        registry,
        (await Promise.all(agents.map((agent) => resolveAssignment(registry, agent, scope)))).map(
          ({ provider }) => provider,
        ),
      );
      if (scope === "repo" && place.repository) {
        stateFolder(place.repository);
        ensureExcluded(place.repository);
      }
      await assign(place.root, wishes, scope);
    },
    async teams(folder) {
      const registry = providersAt((await findOwnPlace(folder)).root);
      return teamsHere(registry, await lookAt(await registry.list()));
    },
    async applyTeam(folder, name, scope) {
      const place = await findOwnPlace(folder);
      const team = await teamAt(providersAt(place.root), name);
      if (scope === "repo" && place.repository) {
        stateFolder(place.repository);
        ensureExcluded(place.repository);
      }
      await assign(place.root, team.roles, scope);
      return rowsAt(place.root);
    },
    async models(folder, provider) {
      const registry = providersAt(findPlace(folder).root);
      const asked = provider === undefined ? await registry.list() : [await registry.get(provider)];
      const settings = readUserConfig(environment.configDir).providers ?? {};
      return (await lookAt(asked)).map((agent) => providerRow(agent, settings));
    },
    async config(folder) {
      const place = await findOwnPlace(folder);
      const found = configs(place.root);
      const paths = configPaths(environment.configDir, place.root);
      return {
        userFile: paths.user,
        repoFile: paths.repo,
        user: found.user,
        repo: found.repo,
        policy: standingPolicy(found),
        overruled: overruled(userPolicy(found.user.policy), found.repo.policy),
      };
    },
    async setConfig(key, value) {
      const userFile = configPaths(environment.configDir, "").user;
      setConfigValue(userFile, userConfig, keyPath(key), value === undefined ? undefined : jsonOrText(value));
      return { userFile, user: readUserConfig(environment.configDir) };
    },
    async setPolicy(mode) {
      const known = approvalModes.find((candidate) => candidate === mode);
      if (!known)
        fail("invalid_input", `There is no approval policy "${mode}".`, {
          remedy: `Policies: ${approvalModes.join(", ")}`,
        });
      setConfigValue(configPaths(environment.configDir, "").user, userConfig, ["policy", "approvals"], known);
      return userPolicy(readUserConfig(environment.configDir).policy);
    },
    async access(folder, purpose, agents) {
      const place = await findOwnPlace(folder);
      const found = configs(place.root);
      const registry = providersAt(place.root);
      const here = await lookAt(await registry.list());
      const wanted = await standingCrew(wantedCrew(found, agents), registry, here);
      const crew = await resolveCrew(registry, wanted, () => undefined);
      const policy = standingPolicy(found);
      return modelAccess({ crew, purpose, policy });
    },
    demo: async (folder) => (await import("./demo.ts")).makeSample(folder),
  };
}
