// Git status and diff of the checkout for a program.
import { define } from "../context/index.ts";
import { maxEntries, maxBytes, offset, path } from "./files.ts";
import { flag, optional, text } from "../define/index.ts";

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

export const gitDiff = define({
  name: "repo git-diff",
  group: "Repository",
  summary: "A page of what differs from HEAD, from another commit, or is staged",
  effect: "reads",
  input: {
    path,
    staged: flag("what is staged", { mcp: { about: "What is staged, instead of the working tree." } }),
    base: optional(
      text("compare with this commit", {
        pattern: /^[A-Za-z0-9][A-Za-z0-9._/~^@{}-]{0,199}$/,
        words: "a commit, a branch or a tag",
        mcp: { about: "Compare with this commit instead of HEAD." },
      }),
    ),
    offset,
    maxBytes,
  },
  async handle({ path: below, staged, base, ...page }, { ports, folder }) {
    const { pageOf } = await import("../truncate.ts");
    const { text: diff, hidden } = await (await ports.look(folder)).diff({ path: below, staged, base });
    return { ...pageOf(new TextEncoder().encode(diff), page.offset, page.maxBytes), hidden };
  },
  mcp: {
    tool: "thehood_git_diff",
    title: "Git diff",
    description: "A page of what differs from HEAD, from another commit, or is staged; redacted.",
    output: {
      content: "string",
      offset: "number",
      total_bytes: "number",
      next_offset: "number|null",
      hidden: "number",
    },
  },
});
