// Commands about the machine, the user's configuration and the store.
import { completionScript, shells } from "../completion.ts";
import type { CommandSpec } from "../spec.ts";
import { assignable } from "./start-table.ts";

const group = "Set up";
const setup = async () => import("./setup.ts");

/** The completions need the whole table, which this is a part of: it is handed in. */
export const setupTable = (table: () => readonly CommandSpec[]): readonly CommandSpec[] => [
  {
    name: "init",
    group,
    summary: "Prepare a repository: its state folder and git's exclude file",
    load: async () => (await setup()).init,
  },
  {
    name: "doctor",
    group,
    summary: "Which agents are installed and logged in, what protects you, what is in the way",
    more: "Asks no model and sends nothing. Exit code 1 when something is in the way of every run.",
    examples: ["thehood doctor", "thehood doctor --json"],
    load: async () => (await setup()).doctor,
  },
  {
    name: "roles",
    group,
    summary: "Who plays which role here, and by whose word",
    load: async () => (await setup()).roles,
  },
  {
    name: "roles set",
    group,
    summary: "Give a role to an agent",
    args: [
      {
        name: "role",
        choices: [...assignable, "citation"],
        help: "orchestrator, planner, researcher, implementer, qa, verifier, critic or citation",
      },
      { name: "agent", help: "provider:model" },
    ],
    options: [
      {
        name: "run",
        value: "run",
        help: "in this run only; the run asks before it changes orchestrator or verifier",
      },
      { name: "user", help: "for all your repositories, instead of this one" },
    ],
    examples: [
      "thehood roles set verifier claude-code:sonnet",
      "thehood roles set critic codex-cli:default --user",
    ],
    load: async () => (await import("./switch-role.ts")).setRole,
  },
  {
    name: "teams",
    group,
    summary: "Ready-made teams, which of them can work here, and what the others lack",
    load: async () => (await setup()).teams,
  },
  {
    name: "teams apply",
    group,
    summary: "Use a ready-made team",
    args: [{ name: "team", help: "the name of a team" }],
    options: [{ name: "user", help: "for all your repositories, instead of this one" }],
    examples: ["thehood teams apply codex-default"],
    load: async () => (await setup()).applyTeam,
  },
  {
    name: "models",
    group,
    summary: "Agents and their models, and which can be used here now",
    args: [{ name: "provider", optional: true, help: "only this one" }],
    examples: ["thehood models", "thehood models codex-cli --json"],
    load: async () => (await setup()).models,
  },
  {
    name: "config",
    group,
    summary: "The configuration in force, and where each part comes from",
    examples: ["thehood config", "thehood config set policy.budgets.maxIterations 20"],
    load: async () => (await setup()).config,
  },
  {
    name: "config set",
    group,
    summary: "Change one value of your own configuration",
    args: [
      { name: "key", help: "its path, with dots" },
      { name: "value", help: "JSON, or plain text" },
    ],
    examples: [
      "thehood config set providers.codex-cli.program /opt/codex/bin/codex",
      "thehood config set policy.fanoutParallel 2",
    ],
    load: async () => (await setup()).setConfig,
  },
  {
    name: "config unset",
    group,
    summary: "Take one value out of your own configuration",
    args: [{ name: "key", help: "its path, with dots" }],
    examples: ["thehood config unset policy.fanoutParallel"],
    load: async () => (await setup()).unsetConfig,
  },
  { name: "policy", group, summary: "What may happen without you", load: async () => (await setup()).policy },
  {
    name: "policy set",
    group,
    summary: "Change your approval policy",
    args: [
      {
        name: "mode",
        choices: ["manual", "auto_low_risk", "autopilot"],
        help: "manual, auto_low_risk or autopilot",
      },
    ],
    more: "manual asks at every gate. auto_low_risk lets small transfers without secret risk pass. autopilot also starts work, calls agents\nand applies patches that nothing was found about. Protected changes, secrets and risky commands always ask.",
    examples: ["thehood policy set auto_low_risk"],
    load: async () => (await setup()).setPolicy,
  },
  {
    name: "access",
    group,
    summary: "Where your data would go if this crew were called; calls nobody",
    options: [
      {
        name: "purpose",
        value: "purpose",
        choices: ["repo_context", "progress_packet", "memory_packet", "reconciliation", "run_evidence"],
        help: "what would be sent",
      },
    ],
    examples: ["thehood access --purpose repo_context"],
    load: async () => (await setup()).access,
  },
  {
    name: "log verify",
    group,
    summary: "Prove that no event and no artifact was altered",
    more: "Exit code 5 when anything was altered or is missing; each such event and artifact is named.",
    args: [{ name: "run", optional: true, help: "only this run" }],
    load: async () => (await import("./keep.ts")).verifyLog,
  },
  {
    name: "prune",
    group,
    summary: "List work that was kept before it was removed; drop it with --drop",
    options: [{ name: "drop", value: "ref", many: true, help: "drop this kept ref (or: all)" }],
    examples: ["thehood prune", "thehood prune --drop refs/thehood/keep/run_0mwh/1"],
    load: async () => (await import("./keep.ts")).prune,
  },
  {
    name: "completion",
    group,
    summary: "Print completions for a shell",
    args: [{ name: "shell", choices: shells, help: `a shell (${shells.join(", ")})` }],
    examples: ["source <(thehood completion bash)"],
    load: async () => ({
      run: async (call) => {
        const shell = call.words["shell"] ?? "";
        const script = completionScript(shell, table());
        call.io.out(
          call.json ? `${JSON.stringify({ schemaVersion: 1, ok: true, shell, script })}\n` : script,
        );
        return 0;
      },
    }),
  },
];
