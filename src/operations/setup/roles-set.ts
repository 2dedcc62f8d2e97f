// `roles set`: gives a role to an agent, for a repository, for the user, or in one run that is under way.
import { agentNames, assignableRoles, fail } from "../../core/contract/index.ts";
import { define } from "../context/index.ts";
import { optional, text } from "../define/index.ts";
import { exitOf } from "../run-data/exit.ts";
import { scopeOf, user } from "./keys.ts";

export const rolesSet = define({
  name: "roles set",
  group: "Set up",
  summary: "Give a role to an agent",
  examples: [
    "thehood roles set verifier claude-code:sonnet",
    "thehood roles set critic codex-cli:default --user",
  ],
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
    if (run === undefined)
      return { assigned: await ports.setup.setRole(folder, role, agent, scopeOf(forUser)) };
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
  cli: { words: ["role", "agent"], exit: ({ standing }) => (standing ? exitOf(standing) : 0) },
});
