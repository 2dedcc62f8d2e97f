// Branch, commit and changed paths, for a program.
import { define } from "../context/index.ts";
import { maxEntries } from "./fields.ts";

export const gitStatus = define({
  name: "repo git-status",
  group: "Repository",
  summary: "Branch, commit and changed paths of the checkout",
  effect: "reads",
  input: { maxEntries },
  handle: async (input, { ports, folder }) => (await ports.look(folder)).status(input.maxEntries),
  mcp: {
    tool: "thehood_git_status",
    title: "Git status",
    description: "Branch, commit and changed paths of the checkout.",
    output: {
      head: "string|null",
      branch: "string|null",
      changes: "array",
      total: "number",
      hidden: "number",
    },
  },
});
