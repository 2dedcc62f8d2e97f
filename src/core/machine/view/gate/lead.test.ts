import { expect, it } from "vitest";
import { honest } from "../../../../../tests/support/result-gate.ts";
import { linesAbove, linesBelow } from "./lead.ts";

it("[B-32] a result as plain lines has the order of the screen", () => {
  expect([...linesAbove(honest), "the change", ...linesBelow(honest)]).toEqual([
    "2 files +9 −1 · checks ✔ 3 of 3 · verifier ✔ · ⚠ changes a test",
    "Would your tests notice a mistake in the changed lines? 5 of 6 planted: mostly",
    "the change",
    "go vet ./...: before ✔ · now ✔ · with the old tests ✔ · noticed 1 of 1 planted mistakes",
    "go test ./...: before ✔ · now ✔ · with the old tests ✔ · noticed 5 of 6 planted mistakes",
    "go build ./...: before ✔ · now ✔ · with the old tests ✔ · noticed 1 of 1 planted mistakes",
    "✔ verifier (claude-code:sonnet) approve: “The change does what was asked and nothing else.”",
    "✔ qa (claude-code:haiku) pass: “The recorded tests pass.”",
  ]);
});

it("[B-26] begins with the headline and the doubts where the tests do not look at the change", () => {
  const noticed = {
    answer: "no",
    planted: 2,
    noticed: 0,
    text: "Your tests do not look at the changed lines",
  } as const;
  const doubts = [
    { fault: false, kind: "unreached", place: "Sum", measure: "0 of 2", text: "no check notices: Sum" },
  ] as const;
  const [first, second] = linesAbove({ ...honest, noticed, doubts });
  expect([first, second]).toEqual(["⚠ Your tests do not look at the changed lines", "⚠ no check notices: Sum"]);
});

it("[B-32] says that documentation needs no test behind the facts, and not as a warning", () => {
  const noticed = { answer: "nothing", planted: 0, noticed: 0, text: "Only documentation changed" } as const;
  expect(linesAbove({ ...honest, noticed }).at(-1)).toBe("Only documentation changed");
});
