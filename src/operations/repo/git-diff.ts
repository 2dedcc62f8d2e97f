// A page of a diff of the checkout, for a program.
import { define } from "../context/index.ts";
import { flag, optional, text } from "../define/index.ts";
import { maxBytes, offset, path } from "./fields.ts";

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
    const { pageOf } = await import("../truncate/index.ts");
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
