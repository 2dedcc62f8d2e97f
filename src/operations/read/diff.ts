// `diff`: the change that a run captured.
import { define } from "../context/index.ts";
import { latestRun } from "../run-data/fields.ts";

export const diff = define({
  name: "diff",
  group: "Look",
  summary: "The change a run captured, byte for byte",
  more: "In a pipe and a file every byte is as captured; on a terminal control characters are left out.",
  examples: ["thehood diff run_0mwh > change.patch", "thehood diff | git apply --stat"],
  effect: "reads",
  input: { runId: latestRun },
  async handle({ runId }, context) {
    await using runs = await context.ports.runs(context.folder);
    const id = await runs.find(runId);
    const { changeOf } = await import("../run-data/change.ts");
    const change = await changeOf(runs, id);
    return { runId: id, ...change };
  },
  cli: { words: ["runId"] },
});
