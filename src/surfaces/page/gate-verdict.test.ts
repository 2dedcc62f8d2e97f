// What stands above the diff of a gate.
import { describe, expect, it } from "vitest";
import type { ResultSummary } from "../../core/machine/view/index.ts";
import { doubtTexts } from "./gate-doubts.ts";

const clean: ResultSummary = {
  facts: [],
  noticed: { answer: "yes", planted: 3, noticed: 3, text: "3 of 3 planted mistakes: yes" },
  doubts: [],
  warnings: [],
  checks: [],
  reviews: [],
  needsYes: [],
};

describe("[B-32] what is shown above the diff", () => {
  it("is nothing for an honest change", () => {
    expect(doubtTexts(clean)).toEqual([]);
  });

  it("is first what is wrong, then that no test notices a mistake, then each other doubt and warning", () => {
    const doubted: ResultSummary = {
      ...clean,
      noticed: { answer: "no", planted: 2, noticed: 0, text: "Your tests do not look at the changed lines" },
      doubts: [
        {
          fault: true,
          kind: "invisible",
          place: "a.js",
          measure: "U+200B",
          text: "characters that cannot be seen: a.js",
        },
      ],
      warnings: ["`npm test` could not be run."],
    };
    expect(doubtTexts(doubted)).toEqual([
      "characters that cannot be seen: a.js",
      "Your tests do not look at the changed lines",
      "`npm test` could not be run.",
    ]);
  });
});
