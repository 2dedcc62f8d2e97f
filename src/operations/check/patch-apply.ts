// `patch apply`: a patch, judged and applied to the checkout.
import { exitCodes, fail } from "../../core/contract/index.ts";
import { define } from "../context/index.ts";
import { file, patchFields } from "./fields.ts";
import { patchExit } from "./patch-exit.ts";

export const patchApply = define({
  name: "patch apply",
  group: "Judge",
  summary: "Judge a patch and apply it to the checkout, all or nothing",
  effect: "decides",
  input: { file, ...patchFields },
  async handle({ file: patch, ...options }, { ports, folder }) {
    if (!patch.given)
      fail("invalid_input", "No patch was given.", { remedy: "Give a file, or - for standard input." });
    return ports.applyPatch(await patch.bytes(), { ...options, repo: folder });
  },
  cli: {
    words: ["file"],
    exit: ({ applied, verdict }) => (applied ? exitCodes.ok : patchExit(verdict) || exitCodes.failure),
  },
});
