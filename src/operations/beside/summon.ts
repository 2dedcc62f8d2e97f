// `summon`: one role is called on a run, reading only.
import { define } from "../context/index.ts";
import { besideExit } from "../runs/beside-exit.ts";
import { latestRun, waitSeconds } from "../runs/fields.ts";
import { summonFields } from "../runs/summon-fields.ts";
import { toldBeside } from "../runs/told.ts";

export const summon = define({
  name: "summon",
  group: "Ask others",
  summary: "Call one role on a run, reading only; nothing moves",
  examples: [
    'thehood summon run_0mwh --role critic --brief "is the lock released on every path?"',
    'thehood summon --role researcher --kind research --brief "who calls this?" --agent claude-code:haiku',
  ],
  effect: "moves",
  input: { runId: latestRun, ...summonFields, waitSeconds },
  async handle({ runId, waitSeconds: seconds, ...item }, context) {
    const { askBeside, toSummon } = await import("../runs/beside.ts");
    return askBeside(context, { runId, waitSeconds: seconds }, async (runs) => ({
      type: "summon",
      by: context.actor,
      request: await toSummon(runs, item),
    }));
  },
  cli: { words: ["runId"], exit: besideExit },
  mcp: {
    tool: "thehood_summon",
    title: "Summon a role to a run",
    description: "Ask one reading role about a run. It moves nothing and satisfies no gate.",
    told: toldBeside,
    present: async (result) => (await import("../runs/hosted-beside.ts")).hostedBeside(result),
  },
});
