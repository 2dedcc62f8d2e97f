// The agents of this machine, and the crew that they make.
import {
  badCheck,
  okCheck,
  type Configs,
  type DoctorCheck,
  type ProviderRegistry,
} from "../../../core/contract/index.ts";
import {
  assignmentsOf,
  byOrder,
  findCrew,
  isUnassigned,
  isProgram,
  namedCrew,
  roleRows,
  effectiveCrew,
  type Agent,
  type Crew,
} from "../../../core/crew/index.ts";
import { resolveAll } from "../registry.ts";

/** One line an agent. Those that are not installed are worth a note, and no more. */
function agentCheck(agent: Agent): DoctorCheck {
  const { id, usable } = agent;
  const { installed, version, where, login, models, sandbox, problem, remedy } = agent.health;
  if (!installed) return badCheck(id, "note", problem ?? "not installed", remedy);
  const program = isProgram(agent);
  // A key that is not set is not a problem; a program that cannot run is.
  if (problem !== null) return badCheck(id, program ? "warning" : "note", problem, remedy);
  const logins = { present: "a login was found", missing: "not logged in", unknown: "login unknown" };
  const known = models.slice(0, 6).join(", ") + (models.length > 6 ? `, and ${models.length - 6} more` : "");
  const detail = [
    version ?? (program ? "version unknown" : null),
    where,
    logins[login],
    models.length > 0 ? `models: ${known}` : null,
    sandbox,
  ];
  return {
    name: id,
    state: usable === "yes" ? "ok" : "note",
    detail: detail.filter((part) => part !== null).join("; "),
    remedy,
  };
}

export function agentChecks(agents: readonly Agent[]): DoctorCheck[] {
  return byOrder(agents.filter(({ traits }) => traits.modelBacked)).map(agentCheck);
}

/** The crew that a run would begin with now. Fails when nothing is configured and no crew is found. */
export async function crewNow(registry: ProviderRegistry, configs: Configs, agents: readonly Agent[]): Promise<Crew> {
  const named = namedCrew(configs);
  return isUnassigned(named)
    ? findCrew(agents, "implement")
    : effectiveCrew(named, await resolveAll(registry, assignmentsOf(named)), agents);
}

export async function crewChecks(
  registry: ProviderRegistry,
  configs: Configs,
  agents: readonly Agent[],
): Promise<DoctorCheck[]> {
  const named = namedCrew(configs);
  const crew = await crewNow(registry, configs, agents);
  const rows = roleRows(crew, await resolveAll(registry, assignmentsOf(crew)), agents);
  const broken = rows.filter(({ problem }) => problem !== null);
  const missing = ["implementer", "verifier"].filter(
    (role) => rows.find((row) => row.role === role)?.source === "unassigned",
  );
  const all = rows.flatMap((row) => (row.assignment ? [`${row.role} ${row.assignment}`] : [])).join(", ");
  return [
    ...broken.map((row) => ({
      ...badCheck(
        "crew",
        "blocker",
        `${row.role}: ${row.problem}`,
        row.remedy ?? `thehood roles set ${row.role} provider:model`,
      ),
      role: row.role,
    })),
    missing.length > 0
      ? badCheck(
          "crew",
          "warning",
          `no agent is assigned as ${missing.join(" and ")}`,
          "thehood teams, or thehood roles set implementer provider:model",
        )
      : okCheck("crew", isUnassigned(named) ? `found on this machine, nothing is configured: ${all}` : all),
  ];
}
