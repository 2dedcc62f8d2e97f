// `undo`: takes the work of a run out of the checkout again.
import { define } from "../context/index.ts";
import { latestRun } from "../run-data/fields.ts";

export const undo = define({
  name: "undo",
  group: "Decide",
  summary: "Remove the work of a run from the checkout; your edits stay",
  more: "The checkout is kept under a ref first. Edits that you made since stay, also in the same files; where they stand on the very lines of the work nothing is changed. A commit that holds the work stays in the history: what is taken out is then a change for you to commit.",
  examples: ["thehood undo run_0mwh"],
  effect: "decides",
  input: { runId: latestRun },
  async handle({ runId }, context) {
    const { undoWork } = await import("../run-data/undo.ts");
    await using runs = await context.ports.runs(context.folder);
    return undoWork(context, runs, await runs.find(runId));
  },
  cli: { main: true, words: ["runId"] },
});
