// Starts a run: with changes, or to plan, answer a question, review or demonstrate.
import { runModes, exitCodes } from "../../core/contract/index.ts";
import { define } from "../context/index.ts";
import { checked, choice, flag, optional, source, text, withDefault, spelled } from "../define/index.ts";
import { exitOf } from "../run-data/exit.ts";
import { goalOf, startFields, readingFields } from "./fields.ts";
import { statusOutput } from "../run-data/output.ts";
import { assignment, latestRun } from "../run-data/fields.ts";

export const run = define({
  name: "run",
  group: "Start",
  summary: "Work on a goal until it is verified or needs your decision",
  examples: [
    'thehood run "make the login test stable"',
    'thehood run "fix the parser" --check "npm test" --approvals autopilot',
    "thehood run --issue 28 --detach",
    'thehood run --after run_0mwh "now also the German texts"',
  ],
  effect: "moves",
  input: {
    goal: spelled(optional(goalOf("a goal, in quotes; the title of the issue where one is named")), {
      mcp: { required: true },
    }),
    mode: withDefault(choice(runModes, "what kind of run"), "implement"),
    issue: optional(
      checked(
        text("take this issue of the repository's forge as the goal, read with your gh or glab", {
          min: 1,
          max: 300,
          only: "cli",
          cli: { value: "number" },
        }),
        (id) => /^#?\d{1,12}$/.test(id),
        "the number of an issue, such as 28",
      ),
    ),
    issueFile: optional(
      source("take the issue in this file as the goal: title first; - for standard input", {
        only: "cli",
        cli: { value: "file" },
      }),
    ),
    after: optional(
      text("follow up this run: its work is the base, and agents get its report", {
        min: 1,
        max: 100,
        only: "cli",
        cli: { value: "run" },
      }),
    ),
    detach: flag("let it go on without this terminal; thehood watch follows it", { only: "cli", cli: { short: "d" } }),
    ...startFields,
    remote: flag("let a worker of the shared store advance it (see thehood worker)", { only: "cli" }),
    needs: optional(text("with --remote: the label that the worker must have", { min: 1, max: 40, only: "cli" })),
  },
  async handle(
    { noLoop, maxCycles, waitSeconds, remote, needs, goal: said, issue, issueFile, after, detach, ...options },
    context,
  ) {
    const { begin } = await import("../run-data/begin.ts");
    const { withQuoted } = await import("../run-data/quoted.ts");
    const begins = { goal: said, issue: issue?.replace("#", ""), issueFile, after };
    const request = await withQuoted(options, begins, context);
    return begin(request, { noLoop, maxCycles, waitSeconds, remote, needs, detach }, context);
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

export const rerun = define({
  name: "rerun",
  group: "Start",
  summary: "Start the goal of an earlier run again, with what you change",
  more: "Goal, mode, paths, criteria and agents that were named for that run are kept; everything that you name here replaces them.",
  examples: ["thehood rerun run_0mwh", "thehood rerun run_0mwh --implementer codex-cli:gpt-5.5"],
  effect: "moves",
  input: {
    runId: latestRun,
    detach: flag("let it go on without this terminal; thehood watch follows it", { cli: { short: "d" } }),
    ...startFields,
  },
  async handle({ runId, detach, noLoop, maxCycles, waitSeconds, ...changes }, context) {
    const { begin } = await import("../run-data/begin.ts");
    const { againOptions } = await import("../run-data/again.ts");
    const request = await againOptions(runId, changes, context);
    return begin(request, { noLoop, maxCycles, waitSeconds, detach }, context);
  },
  cli: { args: ["runId"], exit: exitOf },
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
