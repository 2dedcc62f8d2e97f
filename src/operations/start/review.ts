// `review`: a run in review mode.
import { define } from "../context/index.ts";
import { exitOf } from "../run-data/exit.ts";
import { goalOf, startFields } from "./fields.ts";

export const review = define({
  name: "review",
  group: "Start",
  summary: "Have the repository or a change reviewed; no file is changed",
  examples: ['thehood review "the last commit: is the cache safe with two writers?"'],
  effect: "moves",
  input: { goal: goalOf("what to review, in quotes"), ...startFields },
  async handle({ noLoop, maxCycles, waitSeconds, ...wishes }, context) {
    const { begin } = await import("../run-data/begin.ts");
    return begin({ ...wishes, mode: "review" }, { noLoop, maxCycles, waitSeconds }, context);
  },
  cli: { main: true, words: ["goal"], exit: exitOf },
});
