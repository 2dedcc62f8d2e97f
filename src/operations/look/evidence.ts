// `evidence`: git status and diff now, recorded.
import { define } from "../context/index.ts";
import { withDefault } from "../define/index.ts";
import { besideExit } from "../runs/beside-exit.ts";
import { latestRun, waitSeconds } from "../runs/fields.ts";
import { toldBeside } from "../runs/told.ts";

export const evidence = define({
  name: "evidence",
  group: "Look",
  summary: "Capture git status and diff now, as evidence of a run",
  examples: ["thehood evidence run_0mwh"],
  effect: "moves",
  input: { runId: latestRun, waitSeconds: withDefault(waitSeconds, 20) },
  async handle(input, context) {
    const { askBeside } = await import("../runs/beside.ts");
    return askBeside(context, input, async () => ({ type: "capture_evidence", by: context.actor }));
  },
  cli: { words: ["runId"], exit: besideExit },
  mcp: {
    tool: "thehood_capture_evidence",
    title: "Capture evidence",
    description: "Record git status and diff now, as evidence of a run.",
    told: toldBeside,
    annotations: { openWorldHint: false },
    present: async (result) => (await import("../runs/hosted-beside.ts")).hostedBeside(result),
  },
});
