// `check path`: a path, judged under a root.
import { exitCodes } from "../../core/contract/index.ts";
import { define } from "../context/index.ts";
import { choice, optional, text, withDefault } from "../define/index.ts";
import { jsonl, judgedLines } from "./fields.ts";

export const checkPath = define({
  name: "check path",
  group: "Judge",
  summary: "Tell whether a path may be opened under a root",
  effect: "reads",
  input: {
    path: withDefault(text("the path"), ""),
    jsonl,
    root: optional(text("the root (default: the repository)", { cli: { value: "dir" } })),
    op: withDefault(choice(["read", "write", "segment"], "what it would be opened for"), "read"),
  },
  async handle({ path, jsonl: stream, root, op }, context) {
    if (stream) return { lines: judgedLines("path", context) };
    return { verdict: await context.ports.judges.path(root ?? context.folder, path, op) };
  },
  cli: {
    words: ["path"],
    exit: ({ verdict }) => (verdict && !verdict.allowed ? exitCodes.permissionDenied : exitCodes.ok),
  },
});
