// The crew's questions to the registry of providers: resolving loads adapters and may fail, so it is done out here.
import {
  FailureError,
  type Actor,
  type Configs,
  type CreateRun,
  type ProviderRegistry,
  type ResolvedAssignment,
  type Role,
  type RoleAssignments,
  type RunMode,
} from "../../core/contract/index.ts";
import type { Team } from "../../core/contract/setup/index.ts";
import {
  assignmentsOf,
  fillCrew,
  findCrew,
  frozenCrew,
  isUnassigned,
  knownOf,
  lacksRoles,
  nameModels,
  namedCrew,
  namedFallbacks,
  presetNamed,
  priceOf,
  providersOf,
  refuseSelfReview,
  refuseWeakerVerifier,
  requireTeam,
  allTeams,
  teamHere,
  teamPresets,
  verifyingRoles,
  type Agent,
  type Crew,
  type Known,
  type Resolution,
  type Resolutions,
  type RoleOverrides,
} from "../../core/crew/index.ts";
import { webIds } from "../../agents/index.ts";
import { probeAgents, refuseUnusable } from "./agents.ts";

/** Fails as the registry does. */
async function knownBy(registry: ProviderRegistry, assignment: string): Promise<Known> {
  const { provider, model, identity } = await registry.resolve(assignment);
  const { boundary, modelBacked, edits, reads } = provider.traits;
  const known = { assignment, provider: provider.id, model, identity, boundary, modelBacked, edits };
  return reads ? { ...known, reads } : known;
}

/** The answer of the registry as data, a refusal too. */
async function resolve(registry: ProviderRegistry, assignment: string): Promise<Resolution> {
  try {
    return { ok: true, known: await knownBy(registry, assignment) };
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    return { ok: false, failure: error.failure };
  }
}

export async function resolveAll(registry: ProviderRegistry, assignments: readonly string[]): Promise<Resolutions> {
  const each = [...new Set(assignments)].map(
    async (assignment) => [assignment, await resolve(registry, assignment)] as const,
  );
  return new Map(await Promise.all(each));
}

export async function resolveAssignment(
  registry: ProviderRegistry,
  assignment: string,
  source: ResolvedAssignment["source"],
): Promise<ResolvedAssignment> {
  return { ...(await knownBy(registry, assignment)), source };
}

/** The agent with the price by which its cost is estimated. */
export function priced(agent: ResolvedAssignment, user: Configs["user"]): ResolvedAssignment {
  const price = priceOf(
    agent,
    user,
    webIds.some((id) => id === agent.provider),
  );
  return price ? { ...agent, price } : agent;
}

/** Looks at the providers behind these assignments, and refuses when one of them certainly cannot answer. */
export async function refuseUnusableAmong(registry: ProviderRegistry, assignments: readonly string[]): Promise<void> {
  const known = await Promise.all([...new Set(assignments)].map((one) => knownBy(registry, one)));
  const ids = new Set(known.map(({ provider }) => provider));
  refuseUnusable(await probeAgents(await Promise.all([...ids].map((id) => registry.get(id)))));
}

export const probeAllAgents = async (registry: ProviderRegistry): Promise<readonly Agent[]> =>
  probeAgents(await registry.list());

export async function teamsHere(
  registry: ProviderRegistry,
  agents: readonly Agent[],
  presets = teamPresets,
): Promise<readonly Team[]> {
  const teams = presets.map((preset) => nameModels(preset, agents));
  const named = teams.flatMap(({ roles }) => Object.values(roles));
  const resolutions = await resolveAll(registry, named);
  return teams.map((team) => teamHere(team, resolutions, agents));
}

/** A team that can work here, by its name; or a refusal that names the agents it lacks. */
export async function teamAt(registry: ProviderRegistry, name: string, own?: Configs["user"]["teams"]): Promise<Team> {
  const preset = presetNamed(name, allTeams(own));
  const agents = await probeAgents(await registry.list(providersOf(preset)));
  const [team] = await teamsHere(registry, agents, [preset]);
  if (!team) throw new Error(`team ${name} is gone`);
  return requireTeam(team);
}

export interface CrewRequest {
  readonly mode: RunMode;
  readonly team?: string | undefined;
  readonly roles: RoleOverrides;
}

/** The named crew, with agents of this machine for the roles it lacks. An agent that certainly cannot answer is refused. */
export async function chooseCrew(registry: ProviderRegistry, configs: Configs, request: CrewRequest): Promise<Crew> {
  const team = request.team === undefined ? {} : (await teamAt(registry, request.team, configs.user.teams)).roles;
  const crew = namedCrew(configs, { ...team, ...request.roles });
  if (isUnassigned(crew)) return findCrew(await probeAllAgents(registry), request.mode);
  const named = assignmentsOf(crew);
  await refuseUnusableAmong(registry, named);
  const resolutions = await resolveAll(registry, named);
  if (!lacksRoles(crew, request.mode, resolutions)) return crew;
  return fillCrew(crew, request.mode, resolutions, await probeAllAgents(registry));
}

/** The verifiers that the user's own configuration names. They are used only where a fallback would verify. */
async function usersVerifiers(
  registry: ProviderRegistry,
  { roles: named = {} }: Configs["user"],
  crew: RoleAssignments,
): Promise<Partial<Record<Role, Known>>> {
  const found: Partial<Record<Role, Known>> = {};
  for (const role of verifyingRoles) {
    const assignment = named[role];
    if (assignment === undefined || crew[role]?.modelBacked !== false) continue;
    const resolution = await resolve(registry, assignment);
    if (resolution.ok) found[role] = resolution.known;
  }
  return found;
}

/** The agents that may take a role up, as a run freezes them. One that is not known here is left out. */
export async function resolveFallbacks(
  registry: ProviderRegistry,
  configs: Configs,
  roles: RoleAssignments,
  options: (assignment: string, role: string) => unknown,
): Promise<NonNullable<CreateRun["fallbacks"]>> {
  const named = namedFallbacks(configs, roles);
  const resolutions = await resolveAll(
    registry,
    named.flatMap(([, list]) => list),
  );
  const frozen = (role: string, assignment: string): ResolvedAssignment[] => {
    const known = knownOf(resolutions, assignment);
    const own = options(assignment, role);
    return known ? [{ ...known, source: "user", ...(own === undefined ? {} : { options: own }) }] : [];
  };
  return Object.fromEntries(named.map(([role, list]) => [role, list.flatMap((one) => frozen(role, one))]));
}

/** The crew as a run freezes it, or a refusal: of an agent that would verify its own work, and of a weaker verifier. */
export async function resolveCrew(
  registry: ProviderRegistry,
  crew: Crew,
  {
    configs,
    by,
    options,
  }: {
    readonly configs: Configs;
    readonly by: Actor;
    readonly options?: (assignment: string, role: string) => unknown;
  },
): Promise<RoleAssignments> {
  const each = assignmentsOf(crew).map(async (one) => [one, await knownBy(registry, one)] as const);
  const known = new Map(await Promise.all(each));
  const resolved = (assignment: string): Known => {
    const found = known.get(assignment);
    if (!found) throw new Error(`${assignment} was not resolved`);
    return found;
  };
  const frozen = frozenCrew(crew, resolved, options ?? (() => undefined));
  refuseSelfReview(frozen);
  refuseWeakerVerifier(frozen, await usersVerifiers(registry, configs.user, frozen), by);
  return frozen;
}
