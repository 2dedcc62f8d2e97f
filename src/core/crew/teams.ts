// Ready-made teams on this machine: their models named, each with the agents it lacks here.
import { fail, type Role, type UserConfig, nearest } from "../contract/index.ts";
import type { Team } from "../contract/setup/index.ts";
import { type Agent, twoModels } from "./agent.ts";
import type { Resolutions } from "./crew.ts";
import { teamPresets, type TeamPreset } from "./team-table.ts";

type Lack = Team["missing"][number];
/** A team whose models have their names, and nothing said yet of whether it can work. */
export type NamedTeam = TeamPreset;

const idOf = (assignment: string): string => assignment.slice(0, assignment.indexOf(":"));

/** Where a team says `another`, both its models become certain ones: the worker's and a different one. */
export function nameModels(team: TeamPreset, agents: readonly Agent[]): NamedTeam {
  const pairs = new Map(agents.map((agent) => [agent.id, twoModels(agent)]));
  const split = new Set(
    Object.values(team.roles).flatMap((agent) => (agent.endsWith(":another") ? [idOf(agent)] : [])),
  );
  const name = (assignment: string): string => {
    const id = idOf(assignment);
    const pair = split.has(id) ? pairs.get(id) : undefined;
    if (!pair) return assignment;
    const model = assignment.slice(id.length + 1);
    if (model === "another") return pair.reviewer.assignment;
    return model === "default" ? pair.worker.assignment : assignment;
  };
  const named = Object.entries(team.roles).map(([role, assignment]) => [role, name(assignment)]);
  return { ...team, roles: Object.fromEntries(named) as Partial<Record<Role, string>> };
}

function lackOf(assignment: string, resolutions: Resolutions, agents: readonly Agent[]): Lack | null {
  const id = idOf(assignment);
  const found = agents.find((agent) => agent.id === id);
  if (found?.usable === "no") {
    const { problem, remedy } = found.health;
    return { agent: assignment, problem: problem ?? `${id} cannot be used`, remedy };
  }
  const resolution = resolutions.get(assignment);
  if (!resolution || resolution.ok) return null;
  const { message, remedy = null } = resolution.failure;
  const problem = assignment.endsWith(":another") ? `${id} has no two models that are known to differ.` : message;
  return { agent: assignment, problem, remedy };
}

/** A team with the agents it lacks here. */
export function teamHere(team: NamedTeam, resolutions: Resolutions, agents: readonly Agent[]): Team {
  const lacks = [...new Set(Object.values(team.roles))].flatMap(
    (assignment) => lackOf(assignment, resolutions, agents) ?? [],
  );
  // One reason an agent: an agent that is not here has no second model either.
  const missing = lacks.filter(
    (lack, index) => lacks.findIndex((other) => idOf(other.agent) === idOf(lack.agent)) === index,
  );
  return { ...team, available: missing.length === 0, missing };
}

/** The user's own teams, and the ready-made ones whose names they leave free. */
export function allTeams(own: UserConfig["teams"] = {}): readonly TeamPreset[] {
  const mine = Object.entries(own).map(([name, { about = "Your own team", roles }]) => ({
    name,
    about,
    roles,
  }));
  return [...mine, ...teamPresets.filter(({ name }) => !Object.hasOwn(own, name))];
}

export function presetNamed(name: string, teams: readonly TeamPreset[] = teamPresets): TeamPreset {
  const names = teams.map((preset) => preset.name);
  const near = nearest(name, names);
  return (
    teams.find((preset) => preset.name === name) ??
    fail("invalid_input", `There is no team "${name.slice(0, 60)}".`, {
      remedy: `${near ? `Did you mean ${near}? ` : ""}Teams: ${names.join(", ")}`,
    })
  );
}

/** The providers that a team asks for. */
export const providersOf = ({ roles }: TeamPreset): ReadonlySet<string> => new Set(Object.values(roles).map(idOf));

/** Refuses a team that cannot work here, and names the agents it lacks. */
export function requireTeam(team: Team): Team {
  if (team.available) return team;
  const problems = team.missing.map(({ problem }) => problem).join(" ");
  const remedies = team.missing.map(({ remedy }) => remedy ?? "").join(" ");
  return fail("provider_unavailable", `Team ${team.name} cannot work here: ${problems}`, {
    remedy: `${remedies} Which teams can: thehood teams.`.trim(),
  });
}
