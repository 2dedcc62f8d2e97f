// Starts a run: with changes, or to plan, answer a question, review or demonstrate.
import { runModes, exitCodes } from "../../core/contract/index.ts";
import { define } from "../context/index.ts";
import { choice, flag, optional, text, withDefault, spelled } from "../define/index.ts";
import { exitOf } from "../run-data/exit.ts";
import { goalOf, startFields, readingFields } from "./fields.ts";
import { statusOutput } from "../run-data/output.ts";
import { assignment } from "../run-data/fields.ts";

export const run = define({
  name: "run",
  group: "Start",
  summary: "Work on a goal until it is verified or needs your decision",
  examples: [
    'thehood run "make the login test stable"',
    'thehood run "fix the parser" --check "npm test" --approvals autopilot',
  ],
  effect: "moves",
  input: {
    goal: goalOf("a goal, in quotes"),
    mode: withDefault(choice(runModes, "what kind of run"), "implement"),
    ...startFields,
    remote: flag("let a worker of the shared store advance it (see thehood worker)", { only: "cli" }),
    needs: optional(text("with --remote: the label that the worker must have", { min: 1, max: 40, only: "cli" })),
  },
  async handle({ noLoop, maxCycles, waitSeconds, remote, needs, ...options }, context) {
    const { begin } = await import("../run-data/begin.ts");
    return begin(options, { noLoop, maxCycles, waitSeconds, remote, needs }, context);
  },
  cli: { main: true, args: ["goal"], exit: exitOf },
  mcp: {
    tool: "thehood_orchestrate",
    main: true,
    title: "Run a goal",
    description:
      "Start a governed run: agents work in an isolated worktree, the runtime checks, a person decides at gates. Returns at once; poll thehood_status.",
    output: statusOutput,
    // It may, after the gates the user's policy sets, change the checkout.
    annotations: { destructiveHint: true },
    present: async (standing) => (await import("../run-data/for-program.ts")).hostStatus(standing),
  },
});

export const goal = define({
  name: "goal",
  group: "Start",
  summary: "The same as run, in implement mode",
  examples: ['thehood goal "make the login test stable" --team codex-default'],
  effect: "moves",
  input: { goal: goalOf("a goal, in quotes"), ...startFields },
  async handle({ noLoop, maxCycles, waitSeconds, ...options }, context) {
    const { begin } = await import("../run-data/begin.ts");
    return begin({ ...options, mode: "implement" }, { noLoop, maxCycles, waitSeconds }, context);
  },
  cli: { args: ["goal"], nowIn: { command: "run" }, exit: exitOf },
});

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
  async handle({ noLoop, maxCycles, waitSeconds, orchestrator, ...options }, context) {
    const { begin } = await import("../run-data/begin.ts");
    const planners = orchestrator === undefined ? {} : { orchestrator, planner: orchestrator };
    const roles = { ...options.roles, ...planners };
    return begin({ ...options, roles, mode: "plan" }, { noLoop, maxCycles, waitSeconds }, context);
  },
  cli: { main: true, args: ["goal"], exit: exitOf },
  mcp: {
    tool: "thehood_plan",
    main: true,
    title: "Plan",
    description: "Start a run that makes a plan; nothing is edited. Returns at once; poll thehood_status.",
    output: statusOutput,
    present: async (standing) => (await import("../run-data/for-program.ts")).hostStatus(standing),
  },
});

export const research = define({
  name: "research",
  group: "Start",
  summary: "Answer a question about the repository; no file is changed",
  examples: ['thehood research "where is the session cookie set?"'],
  effect: "moves",
  input: { goal: goalOf("a question, in quotes"), ...startFields },
  async handle({ noLoop, maxCycles, waitSeconds, ...options }, context) {
    const { begin } = await import("../run-data/begin.ts");
    return begin({ ...options, mode: "research" }, { noLoop, maxCycles, waitSeconds }, context);
  },
  cli: { args: ["goal"], exit: exitOf },
});

export const review = define({
  name: "review",
  group: "Start",
  summary: "Have the repository or a change reviewed; no file is changed",
  examples: ['thehood review "the last commit: is the cache safe with two writers?"'],
  effect: "moves",
  input: { goal: goalOf("what to review, in quotes"), ...startFields },
  async handle({ noLoop, maxCycles, waitSeconds, ...options }, context) {
    const { begin } = await import("../run-data/begin.ts");
    return begin({ ...options, mode: "review" }, { noLoop, maxCycles, waitSeconds }, context);
  },
  cli: { main: true, args: ["goal"], exit: exitOf },
});

export const demo = define({
  name: "demo",
  group: "Start",
  summary: "Watch a whole governed run on a sample repository, with the stub provider",
  more: "It tells its story in a few lines; in a terminal the patch waits for your own decision.",
  examples: ["thehood demo", "thehood demo --full", "thehood demo --dir /tmp/sample"],
  effect: "decides",
  input: {
    dir: optional(text("where to make the sample (default: a temporary folder)", { cli: { value: "dir" } })),
    full: flag("every line, every gate and the whole report"),
  },
  handle: async ({ dir, full }, context) => (await import("../run-data/demo.ts")).startDemo(dir, full, context),
  cli: {
    exit: ({ end }) => (end ? exitOf(end) : exitCodes.failure),
  },
});
