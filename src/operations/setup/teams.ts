// `teams`: ready-made crews.
import { define } from "../context/index.ts";

export const teams = define({
  name: "teams",
  group: "Set up",
  summary: "Ready-made teams, which of them can work here, and what the others lack",
  examples: ["thehood teams", "thehood teams apply claude-builder"],
  effect: "reads",
  input: {},
  handle: (_, { ports, folder }) => ports.setup.teams(folder),
  cli: {},
});
