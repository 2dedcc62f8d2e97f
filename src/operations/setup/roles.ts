// The agents of the roles: assignments, teams and models.
import { assignableRoles, agentNames, fail, teamNames } from "../../core/contract/index.ts";
import { record, optional, text, needed } from "../define/index.ts";
import { assignment } from "../run-data/fields.ts";
import { define } from "../context/index.ts";
import { exitOf } from "../run-data/exit.ts";
import { scopeOf, user } from "./config.ts";

export const crew = record(assignableRoles, assignment("an agent"), "who plays which role", {
  mcp: { name: "role_mapping" },
});

export const roles = define({
  name: "roles",
  group: "Set up",
  summary: "The agent of each role here, and which file or option named it",
  effect: "reads",
  input: {},
  handle: (_, { ports, folder }) => ports.setup.roles(folder),
  cli: {},
  mcp: {
    tool: "thehood_roles",
    title: "Roles",
    description: "The agent of each role here, which file or option named it, and which providers there are.",
    output: { roles: "array?", providers: "array?" },
    present: async (rows, { ports, folder }) =>
      (await import("../truncate.ts")).truncateToBytes(
        { roles: rows, providers: await ports.setup.models(folder) },
        5_800,
      ),
  },
});

export const rolesSet = define({
  name: "roles set",
  group: "Set up",
  summary: "Give a role to an agent",
  examples: ["thehood roles set verifier claude-code:sonnet", "thehood roles set critic codex-cli:default --user"],
  effect: "decides",
  input: {
    role: text("orchestrator, planner, researcher, implementer, qa, verifier, critic or citation", {
      cli: { suggest: assignableRoles },
    }),
    agent: text("provider:model", { cli: { suggest: agentNames } }),
    run: optional(
      text("in this run only; the run asks before it changes orchestrator or verifier", {
        cli: { value: "run" },
      }),
    ),
    user,
  },
  async handle({ role, agent, run, user: forUser }, context) {
    const { ports, folder } = context;
    if (run === undefined) return { assigned: await ports.setup.setRole(folder, role, agent, scopeOf(forUser)) };
    const known =
      assignableRoles.find((name) => name === role) ??
      fail("invalid_input", `There is no role "${role}" to assign.`, {
        remedy: `Roles: ${assignableRoles.join(", ")}`,
      });
    const { runStatusOf } = await import("../run-data/snapshot.ts");
    await using runs = await ports.runs(folder);
    const runId = await runs.find(run);
    const from = (await runs.status(runId)).counts.events;
    const assignment = await runs.resolve(agent, "run");
    await runs.submit(runId, { type: "switch_role", role: known, assignment, by: context.actor });
    const stop = await context.advance(runs, runId, { from });
    return { standing: await runStatusOf(runs, runId, stop) };
  },
  cli: { args: ["role", "agent"], exit: ({ standing }) => (standing ? exitOf(standing) : 0) },
});

export const rolesAssign = define({
  name: "roles assign",
  group: "Set up",
  summary: "Give roles of this repository to agents",
  effect: "moves",
  input: { roles: needed(crew) },
  async handle({ roles }, { ports, folder }) {
    const { truncateToBytes } = await import("../truncate.ts");
    await ports.setup.setRoles(folder, roles, "repo");
    return truncateToBytes({ roles: await ports.setup.roles(folder) }, 5_800);
  },
  mcp: {
    tool: "thehood_assign_roles",
    title: "Assign roles",
    description: "Give roles of this repository to agents (provider:model). Later runs use them.",
    output: { roles: "array?" },
    annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: false },
  },
});

export const teams = define({
  name: "teams",
  group: "Set up",
  summary: "Ready-made teams of agents, and which can work here",
  examples: ["thehood teams", "thehood teams apply claude-builder"],
  effect: "reads",
  input: {},
  handle: (_, { ports, folder }) => ports.setup.teams(folder),
  cli: {},
});

export const teamsApply = define({
  name: "teams apply",
  group: "Set up",
  summary: "Use a ready-made team",
  examples: ["thehood teams apply codex-default"],
  effect: "decides",
  input: { team: text("the name of a team", { cli: { suggest: teamNames } }), user },
  handle: ({ team, user: forUser }, { ports, folder }) => ports.setup.applyTeam(folder, team, scopeOf(forUser)),
  cli: { args: ["team"] },
});

export const models = define({
  name: "models",
  group: "Set up",
  summary: "Agents and their models, and which can be used here now",
  examples: ["thehood models", "thehood models codex-cli --json"],
  effect: "reads",
  input: { provider: optional(text("only this one")) },
  handle: ({ provider }, { ports, folder }) => ports.setup.models(folder, provider),
  cli: { args: ["provider"] },
});
