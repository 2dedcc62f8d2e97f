// `patch check`: a patch, judged against this repository.
import { define } from "../context/index.ts";
import { file, patchFields } from "./fields.ts";
import { patchExit } from "./patch-exit.ts";

export const patchCheck = define({
  name: "patch check",
  group: "Judge",
  summary: "Judge the patch against this repository",
  effect: "reads",
  input: { file, ...patchFields },
  async handle({ file: patch, ...options }, { ports, folder }) {
    return { verdict: await ports.judges.patch(await patch.bytes(), { ...options, repo: folder }) };
  },
  cli: {
    words: ["file"],
    nowIn: { command: "check patch", option: "here" },
    exit: ({ verdict }) => patchExit(verdict),
  },
});
