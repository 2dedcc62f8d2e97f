// Lines of a checkout, found for a program.
import { define } from "../context/index.ts";
import { flag, text, whole, withDefault } from "../define/index.ts";
import { path } from "./fields.ts";

export const repoSearch = define({
  name: "repo search",
  group: "Repository",
  summary: "Find lines in the checkout",
  effect: "reads",
  input: {
    query: text("text, taken as it is", { min: 1, max: 500, mcp: { about: "Text, taken as it is." } }),
    regex: flag("the query is a pattern", { mcp: { about: "The query is a pattern in RE2 syntax." } }),
    ignoreCase: flag("upper and lower case are the same"),
    path,
    maxHits: withDefault(whole("at most this many", { min: 1, max: 500 }), 50),
  },
  handle: async ({ query: text_, maxHits: limit, ...how }, { ports, folder, signal }) =>
    (await ports.look(folder)).search({ ...how, text: text_, limit }, signal),
  mcp: {
    tool: "thehood_repo_search",
    main: true,
    title: "Search",
    description: "Find lines in the checkout by text or RE2 pattern; redacted.",
    output: {
      hits: "array",
      searched_files: "number",
      skipped_files: "number",
      truncated: "boolean",
      reason: "string?",
    },
  },
});
