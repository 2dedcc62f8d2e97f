// `reconcile`: a completed run is held against its plan.
import { reconcilingRoles } from "../../contract/index.ts";
import { define } from "../context/index.ts";
import { choice, optional } from "../define/index.ts";
import { besideExit } from "../runs/beside-exit.ts";
import { latestRun, waitSeconds } from "../runs/fields.ts";
import { toldBeside } from "../runs/told.ts";

export const reconcile = define({
  name: "reconcile",
  group: "Ask others",
  summary: "Compare a completed run with its plan",
  examples: ["thehood reconcile run_0mwh"],
  effect: "moves",
  input: { runId: latestRun, role: optional(choice(reconcilingRoles, "who compares")), waitSeconds },
  async handle({ role, ...input }, context) {
    const { askBeside } = await import("../runs/beside.ts");
    const by = context.actor;
    return askBeside(context, input, async () => ({ type: "reconcile", by, role: role ?? null }));
  },
  cli: { words: ["runId"], exit: besideExit },
  mcp: {
    tool: "thehood_reconcile",
    title: "Reconcile",
    description: "Compare a completed run with its plan.",
    told: toldBeside,
    present: async (result) => (await import("../runs/hosted-beside.ts")).hostedBeside(result),
  },
});
