// `reconcile`: a completed run is held against its plan.
import { reconcilingRoles } from "../../core/contract/index.ts";
import { define } from "../context/index.ts";
import { choice, optional } from "../define/index.ts";
import { sideTaskExit } from "../run-data/side-task-exit.ts";
import { latestRun, waitSeconds } from "../run-data/fields.ts";
import { sideTaskOutput } from "../run-data/output.ts";

export const reconcile = define({
  name: "reconcile",
  group: "Ask agents",
  summary: "Compare a completed run with its plan",
  examples: ["thehood reconcile run_0mwh"],
  effect: "moves",
  input: { runId: latestRun, role: optional(choice(reconcilingRoles, "who compares")), waitSeconds },
  async handle({ role, ...input }, context) {
    const { runSideTask } = await import("../run-data/side-task.ts");
    const by = context.actor;
    return runSideTask(context, input, async () => ({ type: "reconcile", by, role: role ?? null }));
  },
  cli: { words: ["runId"], exit: sideTaskExit },
  mcp: {
    tool: "thehood_reconcile",
    title: "Reconcile",
    description: "Compare a completed run with its plan.",
    output: sideTaskOutput,
    present: async (result) => (await import("../run-data/host-side-tasks.ts")).hostSideTasks(result),
  },
});
