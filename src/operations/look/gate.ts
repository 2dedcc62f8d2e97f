// `gate`: the open gates of a run, with everything that they ask about.
import { define } from "../context/index.ts";
import { latestRun } from "../runs/fields.ts";

export const gate = define({
  name: "gate",
  group: "Look",
  summary: "The open gates of a run with everything they ask about, laid open",
  more: "The data behind the gate page; thehood status shows the same for a terminal.",
  examples: ["thehood gate run_0mwh --json"],
  effect: "reads",
  input: { runId: latestRun },
  async handle({ runId }, context) {
    const { laidOpen } = await import("../runs/laid-open.ts");
    const { readable } = await import("../runs/readable.ts");
    return readable(await laidOpen(context, runId));
  },
  cli: { words: ["runId"] },
});
