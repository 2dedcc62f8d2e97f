// `timeline`: a run over time, with the evidence of each moment.
import { define } from "../context/index.ts";
import { latestRun } from "../run-data/fields.ts";

export const timeline = define({
  name: "timeline",
  group: "Look",
  summary: "The run over time, with the evidence of each event",
  more: "The data behind the run page.",
  examples: ["thehood show run_0mwh --timeline --json"],
  effect: "reads",
  input: { runId: latestRun },
  handle: async ({ runId }, context) => (await import("../run-data/story.ts")).storyOf(context, runId),
  cli: { words: ["runId"], nowIn: { command: "show", option: "timeline" } },
});
