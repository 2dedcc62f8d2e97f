// What stands above the diff of a gate: a question that the tests leave open, the doubts of the runtime, and what it found.
import type { ResultSummary } from "../../core/machine/view/index.ts";

export const doubtTexts = ({ noticed, doubts, warnings }: ResultSummary): readonly string[] => [
  ...(noticed.answer === "yes" ? [] : [noticed.text]),
  ...doubts.map(({ text }) => text),
  ...warnings,
];
