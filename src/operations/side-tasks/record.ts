// Evidence that a run gets beside its loop: a command, git status and diff, plan against result.
import { reconcilingRoles, exitCodes } from "../../core/contract/index.ts";
import { define } from "../context/index.ts";
import { choice, optional, flag, list, text, withDefault } from "../define/index.ts";
import { sideTaskExit, exitOf } from "../run-data/exit.ts";
import { keepSecrets, latestRun, waitSeconds, run } from "../run-data/fields.ts";
import { sideTaskOutput } from "../run-data/output.ts";

export const reconcile = define({
  name: "reconcile",
  group: "Ask agents",
  summary: "Compare a completed run with its plan",
  examples: ["thehood reconcile run_0mwh"],
  effect: "moves",
  input: { runId: latestRun, role: optional(choice(reconcilingRoles, "who compares")), waitSeconds },
  async handle({ role, ...input }, context) {
    const { runSideTask } = await import("../run-data/side-task.ts");
    const by = context.actor;
    return runSideTask(context, input, async () => ({ type: "reconcile", by, role: role ?? null }));
  },
  cli: { args: ["runId"], exit: sideTaskExit },
  mcp: {
    tool: "thehood_reconcile",
    title: "Reconcile",
    description: "Compare a completed run with its plan.",
    output: sideTaskOutput,
    present: async (result) => (await import("../run-data/for-program.ts")).hostSideTasks(result),
  },
});

export const exec = define({
  name: "exec",
  group: "Ask agents",
  summary: "Run a command in the sandbox, as evidence of a run",
  more: "Ends with the exit code of the command, and with 1 when a signal or the time limit ended it. A command that did not run ends with a code of ours; --json tells which: only a command that ran has an `exitCode`.",
  examples: ["thehood exec run_0mwh -- npm test", "thehood exec run_0mwh --cwd packages/core -- npm test"],
  effect: "decides",
  input: {
    runId: run,
    cwd: withDefault(text("below the repository", { cli: { value: "dir" } }), ""),
    allowRisky: flag("you allow a command that would be asked about"),
    argv: list(text("a word of the command"), "the command"),
    keepSecrets,
  },
  handle: async (input, context) => (await import("../run-data/exec.ts")).runCommandSideTask(context, input),
  cli: {
    args: ["runId", "argv"],
    passthrough: true,
    exit: ({ command, standing }) => (command ? (command.exitCode ?? exitCodes.failure) : exitOf(standing)),
  },
});

export const evidence = define({
  name: "evidence",
  group: "Look",
  summary: "Record git status and diff now, as evidence",
  examples: ["thehood show run_0mwh --evidence"],
  effect: "moves",
  input: { runId: latestRun, waitSeconds: withDefault(waitSeconds, 20) },
  async handle(input, context) {
    const { runSideTask } = await import("../run-data/side-task.ts");
    return runSideTask(context, input, async () => ({ type: "capture_evidence", by: context.actor }));
  },
  cli: { args: ["runId"], nowIn: { command: "show", option: "evidence" }, exit: sideTaskExit },
  mcp: {
    tool: "thehood_capture_evidence",
    title: "Capture evidence",
    description: "Record git status and diff now, as evidence of a run.",
    output: sideTaskOutput,
    annotations: { openWorldHint: false },
    present: async (result) => (await import("../run-data/for-program.ts")).hostSideTasks(result),
  },
});
