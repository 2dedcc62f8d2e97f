// `fanout`: several roles are called on a run at once, reading only.
import { define } from "../context/index.ts";
import { list, needed, shape } from "../define/index.ts";
import { besideExit } from "../runs/beside-exit.ts";
import { latestRun, waitSeconds } from "../runs/fields.ts";
import { summonFields } from "../runs/summon-fields.ts";
import { toldBeside } from "../runs/told.ts";

export const fanout = define({
  name: "fanout",
  group: "Ask others",
  summary: "Call several roles on a run at once, reading only",
  examples: [
    `thehood fanout run_0mwh --items '[{"role":"critic","brief":"races?"},{"role":"qa","brief":"what is untested?"}]'`,
    "thehood fanout run_0mwh --items @questions.json",
  ],
  effect: "moves",
  input: {
    runId: latestRun,
    items: needed(
      list(
        shape(summonFields, "one call"),
        "a JSON list of {role, brief, kind?, persona?, agent?}, or @file",
        { min: 1, max: 8, words: "a list of one to eight items" },
      ),
    ),
    waitSeconds,
  },
  async handle({ items, ...input }, context) {
    const { askBeside, toSummon } = await import("../runs/beside.ts");
    return askBeside(context, input, async (runs) => ({
      type: "fanout",
      by: context.actor,
      items: await Promise.all(items.map((item) => toSummon(runs, item))),
    }));
  },
  cli: { words: ["runId"], exit: besideExit },
  mcp: {
    tool: "thehood_fanout",
    title: "Ask several roles",
    description: "Ask up to eight reading roles about a run at once. It moves nothing and satisfies no gate.",
    told: toldBeside,
    present: async (result) => (await import("../runs/hosted-beside.ts")).hostedBeside(result),
  },
});
