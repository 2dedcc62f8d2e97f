// `abort`: ends a run for good. Anybody who may move a run may end it.
import { define } from "../context/index.ts";
import { text, withDefault } from "../define/index.ts";
import { latestRun } from "../run-data/fields.ts";
import { statusOutput } from "../run-data/output.ts";
import { undoToo } from "./fields.ts";

/** A process that advances the run sees the abort at its next beat, ends what it began, and lets go. */
const stopsWithinMs = 30_000;

export const abort = define({
  name: "abort",
  group: "Decide",
  summary: "End a run; its work is kept",
  examples: ['thehood abort run_0mwh --reason "not needed any more"'],
  effect: "moves",
  input: {
    runId: latestRun,
    reason: withDefault(text("why", { max: 4_000, mcp: { about: "Why; kept in the record." } }), ""),
    undo: undoToo,
  },
  async handle({ runId, reason, undo }, context) {
    const { runStatusOf } = await import("../run-data/snapshot.ts");
    await using runs = await context.ports.runs(context.folder);
    const id = await runs.find(runId);
    await runs.submit(id, { type: "abort", reason, by: context.actor });
    const from = (await runs.status(id)).counts.events;
    // The loop retires the workspace, so that the work is pinned and nothing is left behind.
    const stop = await context.advance(runs, id, { from, waitMs: stopsWithinMs, waitSeconds: 10 });
    if (undo) await (await import("../run-data/undo.ts")).takeOutToo(context, runs, id);
    return runStatusOf(runs, id, stop);
  },
  cli: { main: true, words: ["runId"] },
  mcp: {
    tool: "thehood_abort",
    main: true,
    title: "Abort a run",
    description: "End a run for good; its work is kept under a ref.",
    output: statusOutput,
    annotations: { destructiveHint: true, idempotentHint: false, openWorldHint: false },
    present: async (standing) => (await import("../run-data/host-status.ts")).hostStatus(standing),
  },
});
