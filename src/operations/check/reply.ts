// `check reply`: a model's answer, searched for its diff.
import { exitCodes } from "../../core/contract/index.ts";
import { define } from "../context/index.ts";
import { decoded } from "../define/index.ts";
import { file, jsonl, judgedLines } from "./fields.ts";

export const checkReply = define({
  name: "check reply",
  group: "Judge",
  summary: "Find the diff in a model's answer",
  effect: "reads",
  input: { file, jsonl },
  async handle({ file: answer, jsonl: stream }, context) {
    if (stream) return { lines: judgedLines("reply", context) };
    return { verdict: await context.ports.judges.reply(decoded(await answer.bytes())) };
  },
  cli: {
    words: ["file"],
    exit: ({ verdict }) => (verdict?.selected === null ? exitCodes.failure : exitCodes.ok),
  },
});
