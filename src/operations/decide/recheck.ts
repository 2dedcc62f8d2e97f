// `recheck`: the checks of judged work once more, without an agent.
import { define } from "../context/index.ts";
import { exitOf } from "../run-data/exit.ts";
import { latestRun } from "../run-data/fields.ts";

export const recheck = define({
  name: "recheck",
  group: "Decide",
  summary: "Run the checks of a run again, without calling an agent",
  more: "For a run that waits for you because a check could not run, timed out or failed: mend the reason (install the program, start the service), then run the checks again. The question of the run is asked anew with the new results.",
  examples: ["thehood recheck", "npm install && thehood recheck run_0mwh"],
  effect: "moves",
  input: { runId: latestRun },
  async handle({ runId }, context) {
    const { runStatusOf } = await import("../run-data/snapshot.ts");
    await using runs = await context.ports.runs(context.folder);
    const id = await runs.find(runId);
    const from = (await runs.status(id)).counts.events;
    await runs.submit(id, { type: "recheck", by: context.actor });
    const stop = await context.advance(runs, id, { from, until: "validation_evidence_captured" });
    return runStatusOf(runs, id, stop, "beside");
  },
  cli: { words: ["runId"], exit: exitOf },
});
