// What runs cost and what they brought, over a number of days.
import { define } from "../context/index.ts";
import { choice, flag, optional, whole, withDefault } from "../define/index.ts";

export const stats = define({
  name: "stats",
  group: "Look",
  summary: "Cost, tokens, time and results of your runs over some days",
  more: "Costs are those that providers reported. Where one told tokens only, the cost is estimated by your prices or by list prices and marked as such; calls without a known price are counted beside the sum.",
  examples: ["thehood stats", "thehood stats --days 7 --by model", "thehood stats --everywhere --by repo --json"],
  effect: "reads",
  input: {
    days: withDefault(whole("runs that changed in this many days (default 30)", { min: 1, max: 3_650 }), 30),
    by: optional(choice(["role", "model", "repo"], "one row for each role, model or repository")),
    everywhere: flag("the runs of all your repositories, not only of this one"),
  },
  handle: async (wanted, context) => (await import("../run-data/stats.ts")).statsOf(context, wanted, Date.now()),
  cli: { main: true },
});
