import { expect, it } from "vitest";
import { honest } from "../../../tests/support/result-gate.ts";
import { doubtTexts } from "./gate-doubts.ts";

it("[B-32] counts what was not measured as a doubt, and documentation as none", () => {
  const about = (answer: "unknown" | "nothing" | "no") =>
    doubtTexts({ ...honest, noticed: { answer, planted: 0, noticed: 0, text: answer } });
  const before = doubtTexts(honest).length;
  expect(about("no")).toHaveLength(before + 1);
  expect(about("unknown")).toHaveLength(before + 1);
  expect(about("nothing")).toHaveLength(before);
});
