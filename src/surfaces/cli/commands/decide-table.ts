// Commands by which a person decides at a gate.
import type { CommandSpec, OptionSpec } from "../spec.ts";
import { latestRun } from "./run-words.ts";

const decideFlags: readonly OptionSpec[] = [
  { name: "message", short: "m", value: "text", help: "your words; a gate with a phrase wants it here" },
  { name: "gate", value: "id", help: "the gate you mean; refused when another one is open" },
  { name: "no-continue", help: "record the decision and stop" },
];

const decide = async () => import("./decide.ts");
const group = "Decide";

export const decideTable: readonly CommandSpec[] = [
  {
    name: "approve",
    group,
    summary: "Pass the gate a run stands at, and go on",
    args: [latestRun],
    options: [
      ...decideFlags,
      { name: "accept", help: "take the work as it is, as your own decision, where the gate offers it" },
      { name: "retry", help: "send a call again whose outcome is unknown" },
      { name: "add-tokens", value: "n", help: "extend the token budget" },
      { name: "add-minutes", value: "n", help: "extend the time budget" },
    ],
    more: "What you approve is exactly what thehood status shows now; if it has changed meanwhile, the answer is refused.",
    examples: [
      "thehood approve",
      'thehood approve run_0mwh --message "apply isolated patch"',
      "thehood approve run_0mwh --add-tokens 200000",
    ],
    load: async () => (await decide()).approve,
  },
  {
    name: "reject",
    group,
    summary: "Refuse what the gate asks; the run ends",
    args: [latestRun],
    options: decideFlags,
    examples: ['thehood reject run_0mwh --message "wrong direction"'],
    load: async () => (await decide()).reject,
  },
  {
    name: "revise",
    group,
    summary: "Send the work back with your words",
    args: [latestRun],
    options: decideFlags,
    examples: ['thehood revise run_0mwh --message "keep the old name exported"'],
    load: async () => (await decide()).revise,
  },
  {
    name: "abort",
    group,
    summary: "End a run; its work is kept",
    args: [latestRun],
    options: [{ name: "reason", value: "text", help: "why" }],
    examples: ['thehood abort run_0mwh --reason "not needed any more"'],
    load: async () => (await decide()).abort,
  },
];
