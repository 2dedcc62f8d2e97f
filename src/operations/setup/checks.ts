// `checks`: the checks that a run would use here.
import { define } from "../context/index.ts";

export const checks = define({
  name: "checks",
  group: "Set up",
  summary: "The checks of this repository, and their last results",
  more: "Checks are read from the last commit and from the configuration. Nothing is run; to run them: thehood checks test",
  examples: ["thehood checks", "thehood checks --json"],
  effect: "reads",
  input: {},
  async handle(_, { ports, folder }) {
    await using runs = await ports.runs(folder);
    return await runs.checks();
  },
  cli: { main: true },
});
