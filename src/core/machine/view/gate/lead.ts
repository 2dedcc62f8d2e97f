// The result of a run as plain lines, in the order of the screen, for surfaces that show no table: above the change the
// headline, the facts and the doubts, below it the checks and the reviews.
import type { CheckCell, ResultSummary } from "./shapes.ts";

const question = "Would your tests notice a mistake in the changed lines?";

export function linesAbove({ facts, noticed, doubts, warnings }: ResultSummary): string[] {
  const { answer, text } = noticed;
  const sure = answer === "yes" || answer === "nothing";
  const headline = answer === "yes" ? `${question} ${text}` : sure ? text : `⚠ ${text}`;
  const factsLine = facts.map(({ text }) => text).join(" · ");
  const against = [...doubts.map(({ text }) => text), ...warnings].map((text) => `⚠ ${text}`);
  // What speaks against the work comes before what speaks for it.
  return sure ? [...against, factsLine, headline] : [headline, ...against, factsLine];
}

const marks = { pass: "✔", fail: "✘", unknown: "?" } as const;
const cell = ({ mark, note }: CheckCell): string => [marks[mark], note].filter(Boolean).join(" ");

export function linesBelow({ checks, reviews }: ResultSummary): string[] {
  return [
    ...checks.map(({ command, before, now, withOldTests, mistakes }) =>
      [
        `${command}: before ${cell(before)}`,
        `now ${cell(now)}`,
        ...(withOldTests ? [`with the old tests ${cell(withOldTests)}`] : []),
        ...(mistakes ? [`noticed ${mistakes.noticed} of ${mistakes.planted} planted mistakes`] : []),
      ].join(" · "),
    ),
    ...reviews.map(
      ({ role, agent, approves, verdict, sentence }) =>
        `${approves ? "✔" : "✘"} ${role} (${agent}) ${verdict}: “${sentence}”`,
    ),
  ];
}
