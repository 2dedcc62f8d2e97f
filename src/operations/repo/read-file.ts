// A page of a file, for a program.
import { define } from "../context/index.ts";
import { optional, text, whole } from "../define/index.ts";
import { maxBytes, offset } from "./fields.ts";

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
    const { pageOf } = await import("../truncate/index.ts");
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
