// Lines made to cost time. The number of characters a judgement reads is bounded, so the work grows with the line.
import { describe, expect, it } from "vitest";
import { findSecrets, secretRules } from "./index.ts";
import { hostileLines } from "../../../tests/support/secrets/hostile.ts";

describe("hostile lines", () => {
  // Longer ones, in every form, are in hostile.long.test.ts.
  it("end for every rule, one line for each of its literals", () => {
    const literals = secretRules.flatMap((rule) => rule.literals);
    for (const line of hostileLines(literals, 5_000, 1)) expect(findSecrets(line).length).toBeGreaterThanOrEqual(0);
  });
});
