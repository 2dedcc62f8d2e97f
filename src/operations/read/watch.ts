// `watch`: every event as it comes, and what the run waits for when none does.
import { define } from "../context/index.ts";
import { latestRun } from "../run-data/fields.ts";
import { fromEvent } from "./logs.ts";

export const watch = define({
  name: "watch",
  group: "Look",
  summary: "Follow a run live",
  more: "Ends when the run ends, or when the process that works on it is gone; Ctrl-C stops looking and leaves the run alone. With --json each event is one line.",
  examples: ["thehood watch", "thehood watch run_0mwh --json | jq .event.type"],
  effect: "reads",
  input: { runId: latestRun, from: fromEvent },
  handle: async ({ runId, from = 1 }, context) =>
    (await import("../run-data/watched.ts")).watched(context, runId, from),
  cli: { main: true, words: ["runId"] },
});
