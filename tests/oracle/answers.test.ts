// Answers that break naive extractors, each through the real command into a real work tree: one of each kind.
import { describe } from "vitest";
import { describeAnswers } from "./answer-shapes.ts";

describe("answer shapes, end to end", () => {
  describeAnswers(true);
});
