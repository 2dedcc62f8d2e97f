// The crew and the agents of this machine as rows, for people and programs.
import { FailureError, roles, roleTable, type ProvidersInput, type Role } from "../contract/index.ts";
import type { AgentBrief, ModelRow, ProviderRow, RoleRow } from "../contract/setup/index.ts";
import { isProgram, type Agent } from "./agent.ts";
import { knownOf, type Crew, type Resolutions } from "./crew.ts";
import { refuseSelfReview } from "./verifier.ts";

/** Some have hundreds of models; `thehood models` lists them all. */
const fewModels = 10;

export function crewBrief(agent: Agent): AgentBrief {
  const { id, health, usable } = agent;
  const { installed, version, where, login, sandbox, problem, remedy } = health;
  const models = health.models.slice(0, fewModels);
  return { id, program: isProgram(agent), usable, installed, version, where, login, sandbox, models, problem, remedy };
}

function modelRows({ models }: Agent, aliases: Readonly<Record<string, string>>): ModelRow[] {
  return models.map(({ assignment, name, identity }) => ({
    assignment,
    identity,
    alias: Object.hasOwn(aliases, name) ? (aliases[name] ?? null) : null,
    default: name === "default",
  }));
}

export function providerRow(agent: Agent, settings: ProvidersInput): ProviderRow {
  const { about, boundary, modelBacked, edits } = agent.traits;
  const models = modelRows(agent, settings[agent.id]?.models ?? {});
  return { ...crewBrief(agent), about, boundary, modelBacked, edits, models };
}

/** Of a crew that no run would begin with: the verifier is the one to change. */
function selfReview(crew: Crew, resolutions: Resolutions): Pick<RoleRow, "problem" | "remedy"> | null {
  const { implementer, verifier } = crew;
  if (!implementer || !verifier) return null;
  try {
    refuseSelfReview({
      implementer: knownOf(resolutions, implementer.assignment),
      verifier: knownOf(resolutions, verifier.assignment),
    });
    return null;
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    return { problem: error.failure.message, remedy: error.failure.remedy ?? null };
  }
}

function roleRow(role: Role, crew: Crew, resolutions: Resolutions, agents: readonly Agent[]): RoleRow {
  const { label, read, edit, run, satisfies, runtime } = roleTable[role];
  const row = { role, label, read, edit, run, satisfies };
  const none = { identity: null, problem: null, remedy: null, why: null, assignment: null };
  if (runtime) return { ...row, ...none, source: "runtime" };
  const choice = crew[role];
  if (!choice) return { ...row, ...none, source: "unassigned" };
  const { assignment, source, why = null } = choice;
  const found = resolutions.get(assignment);
  if (found && !found.ok) {
    const { message, remedy = null } = found.failure;
    return { ...row, assignment, source, why, identity: null, problem: message, remedy };
  }
  const known = knownOf(resolutions, assignment);
  const agent = agents.find(({ id }) => id === known?.provider);
  const ill = agent?.usable === "no" ? agent.health : null;
  const identity = known?.identity ?? null;
  const { problem = null, remedy = null } = ill ?? {};
  return { ...row, assignment, source, why, identity, problem, remedy };
}

/** One row a role, with the problem of its agent: unknown, not able to answer here, or both worker and judge. */
export function roleRows(crew: Crew, resolutions: Resolutions, agents: readonly Agent[]): RoleRow[] {
  const rows = roles.map((role) => roleRow(role, crew, resolutions, agents));
  const known = rows.every(({ problem }) => problem === null);
  const clash = known ? selfReview(crew, resolutions) : null;
  return clash ? rows.map((row) => (row.role === "verifier" ? { ...row, ...clash } : row)) : rows;
}
