// `evidence`: git status and diff now, recorded.
import { define } from "../context/index.ts";
import { withDefault } from "../define/index.ts";
import { sideTaskExit } from "../run-data/side-task-exit.ts";
import { latestRun, waitSeconds } from "../run-data/fields.ts";
import { sideTaskOutput } from "../run-data/output.ts";

export const evidence = define({
  name: "evidence",
  group: "Look",
  summary: "Record git status and diff now, as evidence",
  examples: ["thehood show run_0mwh --evidence"],
  effect: "moves",
  input: { runId: latestRun, waitSeconds: withDefault(waitSeconds, 20) },
  async handle(input, context) {
    const { runSideTask } = await import("../run-data/side-task.ts");
    return runSideTask(context, input, async () => ({ type: "capture_evidence", by: context.actor }));
  },
  cli: { words: ["runId"], nowIn: { command: "show", option: "evidence" }, exit: sideTaskExit },
  mcp: {
    tool: "thehood_capture_evidence",
    title: "Capture evidence",
    description: "Record git status and diff now, as evidence of a run.",
    output: sideTaskOutput,
    annotations: { openWorldHint: false },
    present: async (result) => (await import("../run-data/host-side-tasks.ts")).hostSideTasks(result),
  },
});
