// `roles`: the crew of a repository.
import { define } from "../context/index.ts";

export const roles = define({
  name: "roles",
  group: "Set up",
  summary: "The agent of each role here, and which file or option named it",
  effect: "reads",
  input: {},
  handle: (_, { ports, folder }) => ports.setup.roles(folder),
  cli: {},
  mcp: {
    tool: "thehood_roles",
    title: "Roles",
    description: "The agent of each role here, which file or option named it, and which providers there are.",
    output: { roles: "array?", providers: "array?" },
    present: async (rows, { ports, folder }) =>
      (await import("../truncate/index.ts")).truncateToBytes(
        { roles: rows, providers: await ports.setup.models(folder) },
        5_800,
      ),
  },
});
