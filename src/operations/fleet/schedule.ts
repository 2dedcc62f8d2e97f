// Schedules of a shared store.
import { define } from "../context/index.ts";
import { text, withDefault, optional } from "../define/index.ts";
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
  async handle({ cron, zone, ...options }, context) {
    const { requested } = await import("../run-data/begin.ts");
    const fleet = await context.ports.fleet();
    return fleet.schedule(context.folder, cron, zone, requested({ ...options, mode: "implement" }));
  },
  cli: { args: ["cron", "goal"] },
});

export const schedules = define({
  name: "schedules",
  group: "Connect",
  summary: "List the schedules of the shared store, or remove one",
  examples: ["thehood schedules", "thehood schedules --remove 1f0c2a"],
  effect: "moves",
  input: {
    remove: optional(text("remove the schedule with this key", { min: 1, max: 40, cli: { value: "key" } })),
  },
  async handle({ remove }, context) {
    const fleet = await context.ports.fleet();
    if (remove !== undefined) await fleet.unschedule(remove);
    return { schedules: await fleet.schedules() };
  },
  cli: {},
});
