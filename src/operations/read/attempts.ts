// The attempts at one goal, compared by facts.
import { define } from "../context/index.ts";
import { latestRun } from "../run-data/fields.ts";

export const attempts = define({
  name: "attempts",
  group: "Look",
  summary: "The attempts at one goal, compared by facts",
  more: "Best first: claims proven, planted mistakes noticed, doubts, changed lines, time, cost. Take one: thehood approve RUN; the others end, and their work is kept.",
  examples: ["thehood attempts", "thehood diff run_0mwh", "thehood approve run_0mwh"],
  effect: "reads",
  input: { runId: latestRun },
  async handle({ runId }, context) {
    const { fail } = await import("../../core/contract/index.ts");
    const { attemptsOf } = await import("../run-data/attempts.ts");
    await using runs = await context.ports.runs(context.folder);
    const id = await runs.find(runId);
    return (
      (await attemptsOf(runs, id)) ??
      fail("not_found", `${id} is not one of several attempts.`, {
        remedy: 'Begin some: thehood run "goal" --attempts 3',
      })
    );
  },
  cli: { args: ["runId"] },
});
