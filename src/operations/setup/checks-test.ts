// `checks test`: the checks on the last commit, run as a run would run them.
import { exitCodes } from "../../core/contract/index.ts";
import { define } from "../context/index.ts";
import { list, text } from "../define/index.ts";

export const checksTest = define({
  name: "checks test",
  group: "Set up",
  summary: "Run the checks on the last commit, as a run would: in the sandbox, without an agent",
  more: "Exit code 5 when a check does not pass.",
  examples: ["thehood checks test", "thehood checks test npm:test"],
  effect: "moves",
  input: { ids: list(text("the id of a check"), "which checks (default: all)", { max: 100 }) },
  async handle({ ids }, { ports, folder, signal, tell }) {
    await using runs = await ports.runs(folder);
    return { checks: await runs.testChecks({ ids, signal, tell }) };
  },
  cli: {
    words: ["ids"],
    rest: true,
    exit: ({ checks }) =>
      checks.every(({ result }) => result === "passed") ? exitCodes.ok : exitCodes.verificationFailed,
  },
});
