// `plan`: a run that makes a plan.
import { define } from "../context/index.ts";
import { optional, spelled } from "../define/index.ts";
import { exitOf } from "../run-data/exit.ts";
import { assignment } from "../run-data/fields.ts";
import { goalOf, readingFields } from "./fields.ts";
import { statusOutput } from "../run-data/output.ts";

export const plan = define({
  name: "plan",
  group: "Start",
  summary: "Make a plan; no file is changed",
  examples: [
    'thehood plan "split the parser into two files" --planner claude-code:opus',
    "thehood report        # the plan it made",
  ],
  effect: "moves",
  input: {
    goal: goalOf("a goal, in quotes"),
    ...readingFields,
    orchestrator: optional(
      spelled(assignment("who plans, for this run", "provider:model that plans, for this run."), {
        only: "mcp",
      }),
    ),
  },
  async handle({ noLoop, maxCycles, waitSeconds, orchestrator, ...wishes }, context) {
    const { begin } = await import("../run-data/begin.ts");
    const planners = orchestrator === undefined ? {} : { orchestrator, planner: orchestrator };
    const roles = { ...wishes.roles, ...planners };
    return begin({ ...wishes, roles, mode: "plan" }, { noLoop, maxCycles, waitSeconds }, context);
  },
  cli: { main: true, words: ["goal"], exit: exitOf },
  mcp: {
    tool: "thehood_plan",
    main: true,
    title: "Plan",
    description: "Start a run that makes a plan; nothing is edited. Returns at once; poll thehood_status.",
    output: statusOutput,
    present: async (standing) => (await import("../run-data/host-status.ts")).hostStatus(standing),
  },
});
