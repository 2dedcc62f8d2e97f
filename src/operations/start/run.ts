// Starts a run: with changes, or to plan, answer a question, review or demonstrate.
import { fail, runModes, exitCodes, teamNames } from "../../core/contract/index.ts";
import { define, type Context } from "../context/index.ts";
import { checked, choice, flag, optional, source, text, whole, withDefault, spelled } from "../define/index.ts";
import { exitOf } from "../run-data/exit.ts";
import { isForgeNumber } from "../run-data/forge-number.ts";
import type { BeginsWith } from "../run-data/quoted.ts";
import type { RunOptions } from "../run-data/begin.ts";
import { goalOf, startFields, readingFields } from "./fields.ts";
import { statusOutput } from "../run-data/output.ts";
import { assignment, latestRun } from "../run-data/fields.ts";

/** The request of a run that begins at a goal, an issue, an earlier run or a pull request. */
async function begunBy(
  options: Omit<RunOptions, "goal">,
  { pr, anyBranch, ...begins }: BeginsWith & { readonly pr: string | undefined; readonly anyBranch: boolean },
  context: Context,
): Promise<RunOptions> {
  if (pr === undefined) return (await import("../run-data/quoted.ts")).withQuoted(options, begins, context);
  const { fromRequest, refuseTwoBeginnings } = await import("../run-data/from-request.ts");
  refuseTwoBeginnings(begins, options);
  return fromRequest({ id: pr, goal: begins.goal, anyBranch }, options, context);
}

export const run = define({
  name: "run",
  group: "Start",
  summary: "Work on a goal until it is verified or needs your decision",
  examples: [
    'thehood run "make the login test stable"',
    'thehood run "fix the parser" --check "npm test" --approvals autopilot',
    "thehood run --issue 28 --detach",
    "thehood run --pr 123",
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
        isForgeNumber,
        "the number of an issue, such as 28, or its address",
      ),
    ),
    issueFile: optional(
      source("take the issue in this file as the goal: title first; - for standard input", {
        only: "cli",
        cli: { value: "file" },
      }),
    ),
    pr: optional(
      checked(
        text("take up the open comments and failed checks of this pull request, and commit on its branch", {
          min: 1,
          max: 300,
          only: "cli",
          cli: { value: "number" },
        }),
        isForgeNumber,
        "the number of a pull request, such as 123, or its address",
      ),
    ),
    anyBranch: flag("with --pr: also where the tip of its branch carries no evidence of a run of yours", {
      only: "cli",
    }),
    after: optional(
      text("follow up this run: its work is the base, and agents get its report", {
        min: 1,
        max: 100,
        only: "cli",
        cli: { value: "run" },
      }),
    ),
    prDraft: flag(
      "when a person approved the result: push its branch (--branch, or one named after the goal) and open a draft pull request",
      { only: "cli" },
    ),
    detach: flag("let it go on without this terminal; thehood watch follows it", { only: "cli", cli: { short: "d" } }),
    onlyHere: flag("only files in the folder where you are may change, and only its checks run", { only: "cli" }),
    attempts: optional(
      whole("so many runs at the same goal at once, of which you take one (see thehood attempts)", {
        min: 2,
        max: 8,
        only: "cli",
        cli: { value: "n" },
      }),
    ),
    teams: optional(
      text("with --attempts: the implementers, by teams or agents with commas between; the reviewers are the same", {
        min: 1,
        max: 1_000,
        only: "cli",
        cli: { value: "a,b", suggest: teamNames },
      }),
    ),
    ...startFields,
    remote: flag("let a worker of the shared store advance it (see thehood worker)", { only: "cli" }),
    needs: optional(text("with --remote: the label that the worker must have", { min: 1, max: 40, only: "cli" })),
  },
  async handle(
    { noLoop, maxCycles, waitSeconds, remote, needs, goal: said, issue, issueFile, after, detach, onlyHere, ...rest },
    context,
  ) {
    const { begin } = await import("../run-data/begin.ts");
    const { pr, anyBranch, prDraft, attempts, teams, ...options } = rest;
    if (said !== undefined && /^https?:/.test(said) && isForgeNumber(said))
      fail("invalid_input", "The goal is only the address of an issue.", {
        remedy: `Begin at the issue itself: thehood run --issue ${said}`,
      });
    const begins = { goal: said, issue, issueFile, after };
    const request = await begunBy(options, { ...begins, pr, anyBranch }, context);
    const wanted = prDraft ? await (await import("../run-data/draft.ts")).withDraft(request, context) : request;
    const driving = { noLoop, maxCycles, waitSeconds, remote, needs, detach, onlyHere };
    if (attempts === undefined && teams === undefined) return begin(wanted, driving, context);
    const { beginAttempts, countOf } = await import("../run-data/begin-attempts.ts");
    const named = (teams ?? "").split(",").flatMap((name) => name.trim() || []);
    return beginAttempts(wanted, { count: countOf({ attempts, teams: named }), teams: named }, driving, context);
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
