// `teams`: ready-made crews.
import { define } from "../context/index.ts";

export const teams = define({
  name: "teams",
  group: "Set up",
  summary: "Ready-made teams of agents, and which can work here",
  examples: ["thehood teams", "thehood teams apply claude-builder"],
  effect: "reads",
  input: {},
  handle: (_, { ports, folder }) => ports.setup.teams(folder),
  cli: { main: true },
});
