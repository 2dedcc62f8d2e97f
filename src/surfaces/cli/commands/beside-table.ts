// Commands that ask others beside the loop of a run.
import type { CommandSpec, OptionSpec } from "../spec.ts";
import { latestRun, run } from "./run-words.ts";

const sideFlags: readonly OptionSpec[] = [
  {
    name: "role",
    value: "role",
    choices: ["critic", "qa", "verifier", "researcher", "planner", "orchestrator", "citation"],
    help: "which role to call, always needed",
  },
  { name: "brief", value: "text", help: "what it is asked, always needed" },
  {
    name: "kind",
    value: "kind",
    choices: ["review", "qa", "critique", "research", "plan"],
    help: "what kind of answer is wanted",
  },
  { name: "persona", value: "text", help: "from which point of view" },
  { name: "constraint", value: "text", many: true, help: "something to respect" },
  { name: "evidence", value: "ref", many: true, help: "an artifact to lay before it" },
  { name: "agent", value: "p:m", help: "who answers, for this call only" },
];

const side = async () => import("./side.ts");
const group = "Ask others";

export const besideTable: readonly CommandSpec[] = [
  {
    name: "summon",
    group,
    summary: "Call one role on a run, reading only; nothing moves",
    args: [latestRun],
    options: sideFlags,
    examples: [
      'thehood summon run_0mwh --role critic --brief "is the lock released on every path?"',
      'thehood summon --role researcher --kind research --brief "who calls this?" --agent claude-code:haiku',
    ],
    load: async () => (await side()).summon,
  },
  {
    name: "fanout",
    group,
    summary: "Call several roles on a run at once, reading only",
    args: [latestRun],
    options: [
      {
        name: "items",
        value: "json",
        help: "a JSON list of {role, brief, kind?, persona?, agent?}, or @file",
      },
    ],
    examples: [
      `thehood fanout run_0mwh --items '[{"role":"critic","brief":"races?"},{"role":"qa","brief":"what is untested?"}]'`,
      "thehood fanout run_0mwh --items @questions.json",
    ],
    load: async () => (await side()).fanout,
  },
  {
    name: "reconcile",
    group,
    summary: "Hold a completed run against its plan",
    args: [latestRun],
    options: [{ name: "role", value: "role", choices: ["planner", "orchestrator"], help: "who compares" }],
    examples: ["thehood reconcile run_0mwh"],
    load: async () => (await side()).reconcile,
  },
  {
    name: "exec",
    group,
    summary: "Run a command in the sandbox, as evidence of a run",
    args: [run],
    options: [
      { name: "cwd", value: "dir", help: "below the repository" },
      { name: "allow-risky", help: "you allow a command that would be asked about" },
    ],
    passthrough: true,
    more: "Exit code 0 when the command ended with 0, else 1; its own code is told, and is `exitCode` with --json.",
    examples: ["thehood exec run_0mwh -- npm test", "thehood exec run_0mwh --cwd packages/core -- npm test"],
    load: async () => (await side()).exec,
  },
];
