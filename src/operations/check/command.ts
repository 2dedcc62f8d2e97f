// `check command`: a shell line, judged.
import { exitCodes } from "../../core/contract/index.ts";
import { define } from "../context/index.ts";
import { decoded, list, source, text } from "../define/index.ts";
import { jsonl, judgedLines } from "./fields.ts";

export const checkCommand = define({
  name: "check command",
  group: "Judge",
  summary: "Tell what a shell line would do and whether it would be asked about",
  examples: ['thehood check command "sudo rm -rf build"'],
  effect: "reads",
  input: {
    line: list(text("a word"), "the shell line (default: standard input)"),
    stdin: source("standard input", { cli: { hidden: true } }),
    jsonl,
  },
  async handle({ line, stdin, jsonl: stream }, context) {
    if (stream) return { lines: judgedLines("command", context) };
    const said = line.length > 0 ? line.join(" ") : decoded(await stdin.bytes()).replace(/\n$/, "");
    return { verdict: await context.ports.judges.command(said, context.folder) };
  },
  cli: {
    words: ["line"],
    rest: true,
    passthrough: true,
    exit: ({ verdict }) => (verdict?.gated ? exitCodes.approvalRequired : exitCodes.ok),
  },
});
