// `check patch`: a patch, judged alone or against a repository that is named.
import { define } from "../context/index.ts";
import { file, jsonl, judgedLines, patchFields } from "./fields.ts";
import { patchExit } from "./patch-exit.ts";

export const checkPatch = define({
  name: "check patch",
  group: "Judge",
  summary: "Tell whether a patch is accepted, needs approval or is refused",
  effect: "reads",
  input: { file, jsonl, ...patchFields },
  async handle({ file: patch, jsonl: stream, ...options }, context) {
    if (stream) return { lines: judgedLines("patch", context) };
    const repo = context.named ? context.folder : undefined;
    return { verdict: await context.ports.judges.patch(await patch.bytes(), { ...options, repo }) };
  },
  cli: { words: ["file"], exit: ({ verdict }) => patchExit(verdict) },
});
