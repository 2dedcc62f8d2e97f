// `research`: a run in research mode.
import { define } from "../context/index.ts";
import { exitOf } from "../run-data/exit.ts";
import { goalOf, startFields } from "./fields.ts";

export const research = define({
  name: "research",
  group: "Start",
  summary: "Answer a question about the repository; nothing is edited",
  examples: ['thehood research "where is the session cookie set?"'],
  effect: "moves",
  input: { goal: goalOf("a question, in quotes"), ...startFields },
  async handle({ noLoop, maxCycles, waitSeconds, ...wishes }, context) {
    const { begin } = await import("../run-data/begin.ts");
    return begin({ ...wishes, mode: "research" }, { noLoop, maxCycles, waitSeconds }, context);
  },
  cli: { words: ["goal"], exit: exitOf },
});
