// Files of the checkout for a program: listed, searched, read.
import { text, whole, withDefault, flag, list, optional } from "../define/index.ts";
import { define } from "../context/index.ts";

export const path = withDefault(
  text("below the root; everything without", {
    max: 4_096,
    mcp: { about: "Below the root; everything without." },
  }),
  "",
);
export const offset = withDefault(whole("start here", { min: 0 }), 0);
export const maxBytes = withDefault(whole("at most this much", { min: 1, max: 200_000 }), 20_000);
export const maxEntries = withDefault(whole("at most this many", { min: 1, max: 1_000 }), 200);

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
    // Not in the schema of the tool; clients of the public preview name it.
    globs: list(text("a glob", { min: 1, max: 500 }), "only files that one of these matches", { max: 50, only: "cli" }),
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

/** The end of the text where it has fewer lines. */
function startOfLine(bytes: Uint8Array, line: number): number {
  let at = 0;
  for (let left = line - 1; left > 0; left -= 1) {
    const end = bytes.indexOf(10, at);
    if (end === -1) return bytes.length;
    at = end + 1;
  }
  return at;
}

export const repoReadFile = define({
  name: "repo read-file",
  group: "Repository",
  summary: "A page of a file of the checkout, redacted",
  effect: "reads",
  input: {
    path: text("below the root", { min: 1, max: 4_096, mcp: { about: "Below the root." } }),
    offset,
    fromLine: optional(whole("start at this line", { min: 1 })),
    maxBytes,
  },
  async handle(input, { ports, folder }) {
    const { pageOf } = await import("../truncate.ts");
    const { text: content, ...file } = await (await ports.look(folder)).read(input.path);
    if (file.binary) return file;
    const bytes = new TextEncoder().encode(content);
    const from = input.fromLine === undefined ? input.offset : startOfLine(bytes, input.fromLine);
    return { path: file.path, ...pageOf(bytes, from, input.maxBytes) };
  },
  mcp: {
    tool: "thehood_repo_read_file",
    main: true,
    title: "Read a file",
    description: "A page of a file of the checkout, redacted.",
    output: {
      path: "string",
      binary: "boolean?",
      bytes: "number?",
      content: "string?",
      offset: "number?",
      total_bytes: "number?",
      next_offset: "number|null?",
    },
  },
});
