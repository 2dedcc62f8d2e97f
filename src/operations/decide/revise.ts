// `revise`: sends the work back.
import { define } from "../context/index.ts";
import { exitOf } from "../run-data/exit.ts";
import { decisionFields } from "./fields.ts";

export const revise = define({
  name: "revise",
  group: "Decide",
  summary: "Send the work back with a message",
  examples: ['thehood revise run_0mwh --message "keep the old name exported"'],
  effect: "decides",
  input: decisionFields,
  handle: async (input, context) =>
    (await import("../run-data/decide.ts")).decideGate(context, "revise", input),
  cli: { main: true, words: ["runId"], exit: ({ standing }) => exitOf(standing) },
});
