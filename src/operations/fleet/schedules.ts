// `schedules`: the goals that become runs at given times.
import { define } from "../context/index.ts";
import { optional, text } from "../define/index.ts";

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
