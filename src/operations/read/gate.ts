// `gate`: the open gates of a run, with everything that they ask about.
import { define } from "../context/index.ts";
import { latestRun } from "../run-data/fields.ts";

export const gate = define({
  name: "gate",
  group: "Look",
  summary: "The open gates and everything that they ask",
  more: "The data behind the gate page; thehood status shows the same for a terminal.",
  examples: ["thehood show run_0mwh --gate --json"],
  effect: "reads",
  input: { runId: latestRun },
  async handle({ runId }, context) {
    const { gateDetails } = await import("../run-data/gate-details.ts");
    const { readable } = await import("../run-data/gate-details-view.ts");
    return readable(await gateDetails(context, runId));
  },
  cli: { words: ["runId"], nowIn: { command: "show", option: "gate" } },
});
