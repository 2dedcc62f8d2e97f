// `check repo`: a stranger's repository, looked at without running anything.
import { exitCodes } from "../../core/contract/index.ts";
import { define } from "../context/index.ts";
import { optional, text } from "../define/index.ts";

export const checkRepo = define({
  name: "check repo",
  group: "Judge",
  summary: "Tell what in a repository would run or steer an agent, without running anything",
  effect: "reads",
  input: { dir: optional(text("the folder (default: this one)")) },
  handle: async ({ dir }, context) => ({
    verdict: await context.ports.judges.repository(dir ?? context.folder),
  }),
  cli: {
    words: ["dir"],
    exit: ({ verdict }) =>
      verdict.findings.some(({ severity }) => severity !== "low") ? exitCodes.approvalRequired : exitCodes.ok,
  },
});
