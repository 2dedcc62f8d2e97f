// `goal`: a run in implement mode.
import { define } from "../context/index.ts";
import { exitOf } from "../run-data/exit.ts";
import { goalOf, startFields } from "./fields.ts";

export const goal = define({
  name: "goal",
  group: "Start",
  summary: "The same as run, in implement mode",
  examples: ['thehood goal "make the login test stable" --team codex-default'],
  effect: "moves",
  input: { goal: goalOf("a goal, in quotes"), ...startFields },
  async handle({ noLoop, maxCycles, waitSeconds, ...wishes }, context) {
    const { begin } = await import("../run-data/begin.ts");
    return begin({ ...wishes, mode: "implement" }, { noLoop, maxCycles, waitSeconds }, context);
  },
  cli: { words: ["goal"], nowIn: { command: "run" }, exit: exitOf },
});
