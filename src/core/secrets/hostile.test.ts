// Lines made to cost time. The number of characters a judgement reads is bounded, so the work grows with the line.
import { describe, expect, it } from "vitest";
import { findSecrets, secretRules } from "./index.ts";
import { hostileLines } from "../../../tests/support/secrets/hostile.ts";

describe("hostile lines", () => {
  it("end for every rule, one line for each of its literals", () => {
    for (const line of hostileLines(
      secretRules.flatMap(({ literals }) => literals),
      15_000,
    )) {
      expect(findSecrets(line).length).toBeGreaterThanOrEqual(0);
    }
  });
});
