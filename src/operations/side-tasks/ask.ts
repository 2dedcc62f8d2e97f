// Calls of single roles, beside a run or in a run of their own.
import { define } from "../context/index.ts";
import { sideTaskExit } from "../run-data/exit.ts";
import { keepSecrets, latestRun, summonFields, waitSeconds, assignment } from "../run-data/fields.ts";
import { sideTaskOutput, statusOutput } from "../run-data/output.ts";
import { list, needed, shape, choice, optional, withDefault } from "../define/index.ts";
import type { RunMode } from "../../core/contract/index.ts";
import { goalOf, startFields } from "../start/fields.ts";

export const summon = define({
  name: "summon",
  group: "Ask agents",
  summary: "Call one role on a run, read-only; the run does not change",
  examples: [
    'thehood summon run_0mwh --role critic --brief "is the lock released on every path?"',
    'thehood summon --role researcher --kind research --brief "who calls this?" --agent claude-code:haiku',
  ],
  effect: "moves",
  input: { runId: latestRun, ...summonFields, keepSecrets, waitSeconds },
  async handle({ runId, waitSeconds: seconds, ...item }, context) {
    const { runSideTask, toSummon } = await import("../run-data/side-task.ts");
    return runSideTask(context, { runId, waitSeconds: seconds }, async (runs) => ({
      type: "summon",
      by: context.actor,
      request: await toSummon(runs, item),
    }));
  },
  cli: { args: ["runId"], exit: sideTaskExit },
  mcp: {
    tool: "thehood_summon",
    main: true,
    title: "Summon a role to a run",
    description: "Ask one reading role about a run. It moves nothing and satisfies no gate.",
    output: sideTaskOutput,
    present: async (result) => (await import("../run-data/for-program.ts")).hostSideTasks(result),
  },
});

export const fanout = define({
  name: "fanout",
  group: "Ask agents",
  summary: "Call several roles on a run at once, read-only",
  examples: [
    `thehood fanout run_0mwh --items '[{"role":"critic","brief":"races?"},{"role":"qa","brief":"what is untested?"}]'`,
    "thehood fanout run_0mwh --items @questions.json",
  ],
  effect: "moves",
  input: {
    runId: latestRun,
    items: needed(
      list(shape(summonFields, "one call"), "a JSON list of {role, brief, kind?, persona?, agent?}, or @file", {
        min: 1,
        max: 8,
        words: "a list of one to eight items",
      }),
    ),
    keepSecrets,
    waitSeconds,
  },
  async handle({ items, ...input }, context) {
    const { runSideTask, toSummon } = await import("../run-data/side-task.ts");
    return runSideTask(context, input, async (runs) => ({
      type: "fanout",
      by: context.actor,
      items: await Promise.all(items.map((item) => toSummon(runs, item))),
    }));
  },
  cli: { args: ["runId"], exit: sideTaskExit },
  mcp: {
    tool: "thehood_fanout",
    main: true,
    title: "Ask several roles",
    description: "Ask up to eight reading roles about a run at once. It moves nothing and satisfies no gate.",
    output: sideTaskOutput,
    present: async (result) => (await import("../run-data/for-program.ts")).hostSideTasks(result),
  },
});

const modeOf = {
  orchestrator: "plan",
  planner: "plan",
  researcher: "research",
  qa: "review",
  critic: "review",
} as const satisfies Readonly<Record<string, RunMode>>;
const consultable = Object.keys(modeOf) as (keyof typeof modeOf)[];

export const consult = define({
  name: "consult",
  group: "Ask agents",
  summary: "Ask one reading role a question in a run of its own",
  effect: "moves",
  input: {
    goal: goalOf("a question"),
    constraints: startFields.constraints,
    role: withDefault(choice(consultable, "who answers", { mcp: { about: "Who answers." } }), "critic"),
    agent: optional(assignment("who answers, for this call only", "provider:model for this call only.")),
    waitSeconds,
  },
  async handle({ role, agent, waitSeconds: seconds, ...options }, context) {
    const { begin } = await import("../run-data/begin.ts");
    const roles = agent === undefined ? {} : { [role]: agent };
    const asked = { ...options, roles, mode: modeOf[role], preferredRole: role };
    return begin(asked, { waitSeconds: seconds }, context);
  },
  mcp: {
    tool: "thehood_consult",
    main: true,
    title: "Consult one role",
    description: "Ask one reading role a question in a run of its own; nothing is edited.",
    output: statusOutput,
    present: async (standing) => (await import("../run-data/for-program.ts")).hostStatus(standing),
  },
});
