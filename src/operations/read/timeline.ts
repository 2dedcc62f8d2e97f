// `timeline`: a run over time, with the evidence of each moment.
import { define } from "../context/index.ts";
import { latestRun } from "../run-data/fields.ts";

export const timeline = define({
  name: "timeline",
  group: "Look",
  summary: "A run over time: who worked, who was waited for, and the evidence of each moment",
  more: "The data behind the run page.",
  examples: ["thehood timeline run_0mwh --json"],
  effect: "reads",
  input: { runId: latestRun },
  handle: async ({ runId }, context) => (await import("../run-data/story.ts")).storyOf(context, runId),
  cli: { words: ["runId"] },
});
