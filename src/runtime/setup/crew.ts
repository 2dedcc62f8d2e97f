// Looking at the crew and changing it. A crew is refused before anything of it is written.
import {
  assignment as assignmentSchema,
  fail,
  roleTable,
  type Actor,
  type Configs,
  type Role,
} from "../../core/contract/index.ts";
import type { RoleRow, Setup } from "../../core/contract/setup/index.ts";
import type { ConfigScope } from "../../platform/config/index.ts";
import { ensureExcluded, stateFolder } from "../../workspace/checkout/worktree/index.ts";
import {
  modelAccess,
  allTeams,
  assignmentsOf,
  namedCrew,
  providerRow,
  roleRows,
  effectiveCrew,
  type RoleOverrides,
} from "../../core/crew/index.ts";
import { effectivePolicy } from "../../core/crew/policy/index.ts";
import { locateTrustedRepository, locateRepository, type RepositoryLocation } from "../../platform/git/index.ts";
import { probeAgents } from "./agents.ts";
import {
  probeAllAgents,
  refuseUnusableAmong,
  resolveAll,
  resolveAssignment,
  resolveCrew,
  teamAt,
  teamsHere,
} from "./registry.ts";
import type { SetupDeps } from "./deps.ts";

const person: Actor = { kind: "person", surface: "cli" };

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

/** The crew that would play now, with everything a row or a report needs to know of it. */
async function crewNow({ providers }: SetupDeps, root: string, configs: Configs, run: RoleOverrides = {}) {
  const registry = providers(root);
  const agents = await probeAllAgents(registry);
  const named = namedCrew(configs, run);
  const crew = effectiveCrew(named, await resolveAll(registry, assignmentsOf(named)), agents);
  return { registry, agents, crew };
}

async function rowsAt(deps: SetupDeps, root: string): Promise<readonly RoleRow[]> {
  const { registry, agents, crew } = await crewNow(deps, root, deps.configs.at(root));
  return roleRows(crew, await resolveAll(registry, assignmentsOf(crew)), agents);
}

/** Writes assignments, after the whole crew that would result has been looked at. */
async function assign(
  { providers, configs }: SetupDeps,
  { root, repository }: RepositoryLocation,
  overrides: RoleOverrides,
  scope: Exclude<ConfigScope, "shared">,
): Promise<void> {
  const before = configs.at(root);
  const after = { ...before, [scope]: { ...before[scope], roles: { ...before[scope].roles, ...overrides } } };
  await resolveCrew(providers(root), namedCrew(after), { configs: after, by: person });
  if (scope === "repo" && repository) {
    stateFolder(repository);
    ensureExcluded(repository);
  }
  configs.set(
    scope,
    root,
    Object.entries(overrides).map(([role, assignment]) => [["roles", role], assignment]),
  );
}

type CrewSetup = Pick<Setup, "roles" | "setRole" | "setRoles" | "teams" | "applyTeam" | "models" | "access">;

export function createCrewSetup(deps: SetupDeps): CrewSetup {
  const { configs, providers } = deps;
  return {
    roles: async (folder) => rowsAt(deps, (await locateTrustedRepository(folder)).root),
    async setRole(folder, role, assignment, scope) {
      const place = await locateTrustedRepository(folder);
      const known = knownRole(role);
      if (!assignmentSchema.safeParse(assignment).success)
        fail("invalid_input", `"${assignment}" is not an assignment.`, {
          remedy: "Write provider:model, for example stub:default.",
        });
      const registry = providers(place.root);
      const resolved = await resolveAssignment(registry, assignment, scope);
      await refuseUnusableAmong(registry, [assignment]);
      await assign(deps, place, { [known]: assignment }, scope);
      return resolved;
    },
    async setRoles(folder, overrides, scope) {
      const place = await locateTrustedRepository(folder);
      await refuseUnusableAmong(providers(place.root), Object.values(overrides));
      await assign(deps, place, overrides, scope);
    },
    async teams(folder) {
      const registry = providers((await locateTrustedRepository(folder)).root);
      return teamsHere(registry, await probeAllAgents(registry), allTeams(configs.user().teams));
    },
    async applyTeam(folder, name, scope) {
      const place = await locateTrustedRepository(folder);
      const team = await teamAt(providers(place.root), name, configs.user().teams);
      await assign(deps, place, team.roles, scope);
      return rowsAt(deps, place.root);
    },
    async models(folder, provider) {
      const registry = providers(locateRepository(folder).root);
      const registered = provider === undefined ? await registry.list() : [await registry.get(provider)];
      const settings = configs.user().providers ?? {};
      return (await probeAgents(registered)).map((agent) => providerRow(agent, settings));
    },
    async access(folder, purpose, agents) {
      const { root } = await locateTrustedRepository(folder);
      const found = configs.at(root);
      const { registry, crew } = await crewNow(deps, root, found, agents);
      const resolved = await resolveCrew(registry, crew, { configs: found, by: person });
      const allowed = found.user.destinations ?? [];
      return modelAccess({ crew: resolved, purpose, policy: effectivePolicy(found), allowed });
    },
  };
}
