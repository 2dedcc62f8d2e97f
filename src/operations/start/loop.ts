// `loop`: advances a run, and approves nothing.
import { define } from "../context/index.ts";
import { optional, whole } from "../define/index.ts";
import { exitOf } from "../run-data/exit.ts";
import { latestRun } from "../run-data/fields.ts";
import { statusOutput } from "../run-data/output.ts";
import { startFields } from "./fields.ts";

export const loop = define({
  name: "loop",
  group: "Start",
  summary: "Advance a run until it ends, a gate needs you, or nothing moves",
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
  cli: { words: ["runId"], nowIn: { command: "continue" }, exit: exitOf },
  mcp: {
    tool: "thehood_loop",
    title: "Loop",
    description: "Advance a run until it ends, waits for a person, or nothing moves. It passes no gate.",
    annotations: { idempotentHint: true },
    output: statusOutput,
    present: async (standing) => (await import("../run-data/host-status.ts")).hostStatus(standing),
  },
});
