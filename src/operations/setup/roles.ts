// `roles`: the crew of a repository.
import { define } from "../context/index.ts";

export const roles = define({
  name: "roles",
  group: "Set up",
  summary: "Who plays which role here, and by whose word",
  effect: "reads",
  input: {},
  handle: (_, { ports, folder }) => ports.setup.roles(folder),
  cli: {},
  mcp: {
    tool: "thehood_roles",
    title: "Roles",
    description: "Who plays which role here, by whose word, and which providers there are.",
    told: { roles: "array?", providers: "array?" },
    present: async (rows, { ports, folder }) =>
      (await import("../fit/index.ts")).fit(
        { roles: rows, providers: await ports.setup.models(folder) },
        5_800,
      ),
  },
});
