// Answers that break naive extractors, each through the real command into a real work tree: those that answers.test.ts leaves out.
import { describe } from "vitest";
import { describeAnswers } from "./answer-shapes.ts";

describe("answer shapes, end to end", () => {
  describeAnswers(false);
});
