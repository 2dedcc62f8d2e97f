// `log verify`: proves that nothing was altered.
import { exitCodes } from "../../contract/index.ts";
import { define } from "../context/index.ts";
import { optional, text } from "../define/index.ts";

export const logVerify = define({
  name: "log verify",
  group: "Set up",
  summary: "Prove that no event and no artifact was altered",
  more: "Exit code 5 when anything was altered or is missing; each such event and artifact is named.",
  effect: "reads",
  input: { runId: optional(text("only this run", { cli: { name: "run" } })) },
  async handle({ runId }, { ports, folder }) {
    await using runs = await ports.runs(folder);
    return runs.verify(runId === undefined ? undefined : await runs.find(runId));
  },
  cli: {
    words: ["runId"],
    exit: ({ problems }) => (problems.length === 0 ? exitCodes.ok : exitCodes.verificationFailed),
  },
});
