// `show`: everything about a run.
import { define } from "../context/index.ts";
import { latestRun } from "../run-data/fields.ts";

export const show = define({
  name: "show",
  group: "Look",
  summary: "Everything about a run; one part with --gate, --diff, --log …",
  examples: ["thehood show run_0mwh", "thehood show run_0mwh --gate", "thehood show --log --follow"],
  effect: "reads",
  input: { runId: latestRun },
  async handle({ runId }, context) {
    const { runStatusOf } = await import("../run-data/snapshot.ts");
    await using runs = await context.ports.runs(context.folder);
    const id = await runs.find(runId);
    const { idle, working, waits } = await runStatusOf(runs, id);
    const { lines: output, activities } = working ? await runs.live(id) : { lines: [], activities: [] };
    const { failingChecks } = await import("../run-data/failing.ts");
    const failing = await failingChecks(runs, id, await runs.events(id));
    return { idle, working, waits, view: await runs.full(id), output, activities, failing };
  },
  cli: { main: true, words: ["runId"] },
});
