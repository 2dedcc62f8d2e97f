// `config`: the configuration in force.
import { define } from "../context/index.ts";

export const config = define({
  name: "config",
  group: "Set up",
  summary: "The configuration in force, and where each part comes from",
  examples: ["thehood config", "thehood config set policy.budgets.maxIterations 20"],
  effect: "reads",
  input: {},
  handle: (_, { ports, folder }) => ports.setup.config(folder),
  cli: {},
});
