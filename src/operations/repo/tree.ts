// The files of a checkout, for a program.
import { define } from "../context/index.ts";
import { whole, withDefault } from "../define/index.ts";
import { maxEntries, offset, path } from "./fields.ts";

export const repoTree = define({
  name: "repo tree",
  group: "Repository",
  summary: "List files of the checkout",
  effect: "reads",
  input: {
    path,
    depth: withDefault(whole("how deep", { min: 1, max: 20 }), 4),
    offset,
    maxEntries,
  },
  handle: async ({ maxEntries: limit, ...query }, { ports, folder }) =>
    (await ports.look(folder)).tree({ ...query, limit }),
  mcp: {
    tool: "thehood_repo_tree",
    title: "Files",
    description: "List files of the checkout. Secrets, dependencies and build output are left out.",
    output: { entries: "array", total: "number", next_offset: "number|null", hidden: "number" },
  },
});
