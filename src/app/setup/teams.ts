// Ready-made teams. A team only names who plays which role; it widens nothing.
import { fail, FailureError, type ProviderRegistry, type Role } from "../../contract/index.ts";
import type { Team } from "../../operations/index.ts";
import { nearest } from "../../contract/nearest/index.ts";
import { type Agent, lookAt } from "./agents.ts";
import { twoOf } from "./seats.ts";

/** `provider:model`; the model `another` is a different one than that provider's own choice. */
interface TeamPreset {
  readonly name: string;
  readonly about: string;
  readonly roles: Readonly<Partial<Record<Role, string>>>;
}

const crew = (worker: string, reviewer: string, others: TeamPreset["roles"] = {}): TeamPreset["roles"] => ({
  orchestrator: worker,
  planner: worker,
  implementer: worker,
  qa: reviewer,
  verifier: reviewer,
  critic: reviewer,
  ...others,
});

export const teamPresets: readonly TeamPreset[] = [
  {
    name: "stub",
    about: "The scripted stub in every role: for trying things out, no model is called",
    roles: {
      orchestrator: "stub:orchestrator",
      planner: "stub:planner",
      researcher: "stub:researcher",
      implementer: "stub:implementer",
      qa: "stub:qa",
      verifier: "stub:verifier",
      critic: "stub:critic",
    },
  },
  {
    name: "codex-default",
    about: "Codex builds, another Codex model reviews",
    roles: crew("codex-cli:default", "codex-cli:another"),
  },
  {
    name: "claude-builder",
    about: "Claude Code builds, Codex reviews",
    roles: crew("claude-code:sonnet", "codex-cli:default"),
  },
  {
    name: "claude-critic",
    about: "Codex builds, another Codex model verifies, Claude Code criticises",
    roles: crew("codex-cli:default", "codex-cli:another", { critic: "claude-code:default" }),
  },
  {
    name: "spark-plus-sonnet",
    about: "Codex builds, Claude Code verifies and criticises",
    roles: crew("codex-cli:default", "claude-code:sonnet", { qa: "codex-cli:another" }),
  },
  {
    name: "claude-default",
    about: "Claude Code builds, another of its models reviews",
    roles: crew("claude-code:opus", "claude-code:sonnet"),
  },
  {
    name: "gemini-builder",
    about: "Gemini CLI builds, Claude Code reviews",
    roles: crew("gemini-cli:default", "claude-code:default"),
  },
  {
    name: "open-builder",
    about: "OpenCode builds, Codex verifies, Claude Code criticises",
    roles: crew("opencode:default", "codex-cli:default", { critic: "claude-code:default" }),
  },
];

type Lack = Team["missing"][number];

/** Where a team says `another`, both its models become certain ones: the worker's and a different one. */
function named(roles: TeamPreset["roles"], agents: readonly Agent[]): TeamPreset["roles"] {
  const pairs = new Map(agents.map((agent) => [agent.provider.id, twoOf(agent)]));
  const split = new Set(
    Object.values(roles).flatMap((agent) => (agent.endsWith(":another") ? [agent.split(":")[0] ?? ""] : [])),
  );
  const name = (agent: string): string => {
    const [id = "", model] = agent.split(":");
    const pair = split.has(id) ? pairs.get(id) : undefined;
    if (!pair) return agent;
    if (model === "another") return pair.reviewer.assignment;
    return model === "default" ? pair.worker.assignment : agent;
  };
  return Object.fromEntries(Object.entries(roles).map(([role, agent]) => [role, name(agent)]));
}

const idOf = (agent: string): string => agent.slice(0, agent.indexOf(":"));

async function lackOf(
  registry: ProviderRegistry,
  agents: readonly Agent[],
  agent: string,
): Promise<Lack | null> {
  const id = idOf(agent);
  const found = agents.find(({ provider }) => provider.id === id);
  if (found?.usable === "no")
    return { agent, problem: found.health.problem ?? `${id} cannot be used`, remedy: found.health.remedy };
  try {
    await registry.resolve(agent);
    return null;
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    const { message, remedy } = error.failure;
    if (agent.endsWith(":another"))
      return { agent, problem: `${id} has no two models that are known to differ.`, remedy: remedy ?? null };
    return { agent, problem: message, remedy: remedy ?? null };
  }
}

/** Each team with its models named, and with what it lacks here. */
export function teamsHere(registry: ProviderRegistry, agents: readonly Agent[]): Promise<readonly Team[]> {
  const teams = teamPresets.map(async ({ name, about, roles: wished }) => {
    const roles = named(wished, agents);
    const asked = [...new Set(Object.values(roles))].map((agent) => lackOf(registry, agents, agent));
    const lacks = (await Promise.all(asked)).flatMap((lack) => lack ?? []);
    // One reason an agent: whoever is not here has no second model either.
    const missing = lacks.filter(
      (lack, index) => lacks.findIndex((other) => idOf(other.agent) === idOf(lack.agent)) === index,
    );
    return { name, about, roles, available: missing.length === 0, missing };
  });
  return Promise.all(teams);
}

/** A team that can work here, by its name; or what it lacks. */
export async function teamAt(registry: ProviderRegistry, name: string): Promise<Team> {
  const names = teamPresets.map((preset) => preset.name);
  const preset = teamPresets.find((one) => one.name === name);
  if (!preset) {
    const near = nearest(name, names);
    return fail("invalid_input", `There is no team "${name.slice(0, 60)}".`, {
      remedy: `${near ? `Did you mean ${near}? ` : ""}Teams: ${names.join(", ")}`,
    });
  }
  const ids = new Set(Object.values(preset.roles).map(idOf));
  const agents = await lookAt(await registry.list(ids));
  const team = (await teamsHere(registry, agents)).find((one) => one.name === name);
  if (!team) throw new Error(`team ${name} is gone`);
  if (team.available) return team;
  return fail(
    "provider_unavailable",
    `Team ${name} cannot work here: ${team.missing.map(({ problem }) => problem).join(" ")}`,
    {
      remedy:
        `${team.missing.map(({ remedy }) => remedy ?? "").join(" ")} Which teams can: thehood teams.`.trim(),
    },
  );
}
