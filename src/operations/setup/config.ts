// `config`: the configuration in force.
import { define } from "../context/index.ts";
import { flag } from "../define/index.ts";

export const config = define({
  name: "config",
  group: "Set up",
  summary: "The configuration files; --origin shows every value in force",
  examples: [
    "thehood config",
    "thehood config --origin",
    "thehood config set policy.budgets.maxIterations 20",
  ],
  effect: "reads",
  input: { origin: flag("every value in force with the file and line that set it, or default") },
  handle: async ({ origin }, { ports, folder }) =>
    origin ? { values: await ports.setup.origins(folder) } : ports.setup.config(folder),
  cli: { main: true },
});
