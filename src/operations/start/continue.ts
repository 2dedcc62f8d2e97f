// Advances a run that exists.
import { define } from "../context/index.ts";
import { flag, optional, spelled, whole } from "../define/index.ts";
import { exitOf } from "../run-data/exit.ts";
import { latestRun, waitSeconds } from "../run-data/fields.ts";
import { statusOutput } from "../run-data/output.ts";
import { startFields } from "./fields.ts";

export const continueRun = define({
  name: "continue",
  group: "Start",
  summary: "Go on with a run that stopped, also after a crash",
  more: "A call that was sent before a crash is found again, or the run asks you: it is never sent twice unasked.",
  examples: ["thehood continue", "thehood continue run_0mwh --wait 60"],
  effect: "moves",
  input: {
    runId: latestRun,
    wait: optional(
      whole("wait this long for another process that advances it", {
        min: 0,
        only: "cli",
        cli: { value: "s" },
      }),
    ),
    maxCycles: spelled(startFields.maxCycles, { only: "cli" }),
    beside: flag("only what was asked beside the loop, such as a summon", { only: "cli" }),
    waitSeconds,
  },
  async handle({ runId, wait, maxCycles, beside, waitSeconds: seconds }, context) {
    const { runStatusOf } = await import("../run-data/snapshot.ts");
    await using runs = await context.ports.runs(context.folder);
    const id = await runs.find(runId);
    const from = (await runs.status(id)).counts.events;
    const waitMs = wait === undefined ? undefined : wait * 1_000;
    const options = { from, waitMs, maxCycles, besideOnly: beside, waitSeconds: seconds };
    const stop = await context.advance(runs, id, options);
    return runStatusOf(runs, id, stop, beside ? "beside" : undefined);
  },
  cli: { main: true, args: ["runId"], exit: exitOf },
  mcp: {
    tool: "thehood_continue",
    main: true,
    title: "Continue a run",
    description: "Go on with a run that stopped, also after a crash. It passes no gate.",
    output: statusOutput,
    annotations: { destructiveHint: true, idempotentHint: true },
    present: async (standing) => (await import("../run-data/for-program.ts")).hostStatus(standing),
  },
});

export const loop = define({
  name: "loop",
  group: "Start",
  summary: "Advance a run until it ends, needs your decision, or can go no further",
  more: "It approves nothing: exit code 3 says that a gate needs you.",
  examples: ["thehood loop run_0mwh --max-cycles 3"],
  effect: "moves",
  input: {
    runId: latestRun,
    maxCycles: startFields.maxCycles,
    maxSteps: optional(whole("the same as --max-cycles", { min: 1, only: "cli" })),
  },
  async handle({ runId, maxSteps, maxCycles = maxSteps }, context) {
    const { runStatusOf } = await import("../run-data/snapshot.ts");
    await using runs = await context.ports.runs(context.folder);
    const id = await runs.find(runId);
    const from = (await runs.status(id)).counts.events;
    return runStatusOf(runs, id, await context.advance(runs, id, { from, maxCycles }));
  },
  cli: { args: ["runId"], nowIn: { command: "continue" }, exit: exitOf },
  mcp: {
    tool: "thehood_loop",
    title: "Loop",
    description: "Advance a run until it ends, waits for a person, or can go no further. It passes no gate.",
    annotations: { idempotentHint: true },
    output: statusOutput,
    present: async (standing) => (await import("../run-data/for-program.ts")).hostStatus(standing),
  },
});
