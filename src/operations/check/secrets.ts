// `check secrets`: a text, searched for secrets.
import { exitCodes, type PlacedSecret } from "../../core/contract/index.ts";
import { define } from "../context/index.ts";
import { decoded } from "../define/index.ts";
import { file, jsonl, judgedLines } from "./fields.ts";

function placeOf(text: string, start: number): Pick<PlacedSecret, "line" | "column"> {
  const before = text.slice(0, start).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

export const checkSecrets = define({
  name: "check secrets",
  group: "Judge",
  summary: "Find secrets in a text",
  effect: "reads",
  input: { file, jsonl },
  async handle({ file: text, jsonl: stream }, context) {
    if (stream) return { lines: judgedLines("secrets", context) };
    const whole = decoded(await text.bytes());
    const { matches, redacted } = await context.ports.judges.secrets(whole, text.name);
    const placed = matches.map((match) => ({ ...match, ...placeOf(whole, match.start) }));
    return { verdict: { matches: placed, redacted }, file: text.name };
  },
  cli: {
    words: ["file"],
    exit: ({ verdict }) => (verdict && verdict.matches.length > 0 ? exitCodes.failure : exitCodes.ok),
  },
});
