// A page of a file, for a program.
import { define } from "../context/index.ts";
import { text } from "../define/index.ts";
import { maxBytes, offset } from "./fields.ts";

export const repoReadFile = define({
  name: "repo read-file",
  group: "Repository",
  summary: "A page of a file of the checkout, redacted",
  effect: "reads",
  input: {
    path: text("below the root", { min: 1, max: 4_096, mcp: { about: "Below the root." } }),
    offset,
    maxBytes,
  },
  async handle(input, { ports, folder }) {
    const { pageOf } = await import("../fit/index.ts");
    const { text: content, ...file } = await (await ports.look(folder)).read(input.path);
    if (file.binary) return file;
    return { path: file.path, ...pageOf(new TextEncoder().encode(content), input.offset, input.maxBytes) };
  },
  mcp: {
    tool: "thehood_repo_read_file",
    title: "Read a file",
    description: "A page of a file of the checkout, redacted.",
  },
});
