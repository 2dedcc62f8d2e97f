// Several roles of a repository, given to agents by a program.
import { define } from "../context/index.ts";
import { needed } from "../define/index.ts";
import { crew } from "./crew.ts";

export const rolesAssign = define({
  name: "roles assign",
  group: "Set up",
  summary: "Give roles of this repository to agents",
  effect: "moves",
  input: { roles: needed(crew) },
  async handle({ roles }, { ports, folder }) {
    const { truncateToBytes } = await import("../truncate/index.ts");
    await ports.setup.setRoles(folder, roles, "repo");
    return truncateToBytes({ roles: await ports.setup.roles(folder) }, 5_800);
  },
  mcp: {
    tool: "thehood_assign_roles",
    title: "Assign roles",
    description: "Give roles of this repository to agents (provider:model). Later runs use them.",
    output: { roles: "array?" },
    annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: false },
  },
});
