// `check secrets`: a text, searched for secrets.
import { exitCodes } from "../../contract/index.ts";
import { define } from "../context/index.ts";
import { decoded } from "../define/index.ts";
import { file, jsonl, judgedLines } from "./fields.ts";

export const checkSecrets = define({
  name: "check secrets",
  group: "Judge",
  summary: "Find secrets in a text",
  effect: "reads",
  input: { file, jsonl },
  async handle({ file: text, jsonl: stream }, context) {
    if (stream) return { lines: judgedLines("secrets", context) };
    const found = await context.ports.judges.secrets(decoded(await text.bytes()), text.name);
    return { verdict: { matches: found.matches, redacted: found.redacted } };
  },
  cli: {
    words: ["file"],
    exit: ({ verdict }) => (verdict && verdict.matches.length > 0 ? exitCodes.failure : exitCodes.ok),
  },
});
