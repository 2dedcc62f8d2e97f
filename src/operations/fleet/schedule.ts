// `schedule`: a goal that becomes a run at given times.
import { define } from "../context/index.ts";
import { text, withDefault } from "../define/index.ts";
import { goalOf, startFields } from "../start/fields.ts";

export const schedule = define({
  name: "schedule",
  group: "Connect",
  summary: "Start a run of the fleet at given times, each time at most one",
  examples: ['thehood schedule "0 3 * * 1-5" "update the dependencies" --zone Europe/Berlin'],
  effect: "decides",
  input: {
    cron: text('the times, as cron writes them: "0 3 * * 1-5"', { min: 9, max: 100 }),
    goal: goalOf("a goal, in quotes"),
    zone: withDefault(text("the time zone (default UTC)", { min: 2, max: 60 }), "UTC"),
    ...startFields,
  },
  async handle({ cron, zone, ...wishes }, context) {
    const { requested } = await import("../run-data/begin.ts");
    const fleet = await context.ports.fleet();
    return fleet.schedule(context.folder, cron, zone, requested({ ...wishes, mode: "implement" }));
  },
  cli: { words: ["cron", "goal"] },
});
