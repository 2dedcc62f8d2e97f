// What stands above the diff of a gate: what the runtime found to be wrong, what the tests leave open, and what was not measured.
import type { ResultSummary } from "../../core/machine/view/index.ts";

export const doubtTexts = ({ noticed, doubts, warnings }: ResultSummary): readonly string[] => [
  ...doubts.filter(({ fault }) => fault).map(({ text }) => text),
  ...(noticed.answer === "yes" || noticed.answer === "nothing" ? [] : [noticed.text]),
  ...doubts.filter(({ fault }) => !fault).map(({ text }) => text),
  ...warnings,
];
