// Long lines made to cost time, in every form: once in each whole set of tests.
import { describe, expect, it } from "vitest";
import { findSecrets, secretRules } from "./index.ts";
import { hostileLines } from "../../../tests/support/secrets/hostile.ts";

describe("hostile lines", () => {
  it("end for every rule and every form, three lines for each of its literals", () => {
    const literals = secretRules.flatMap((rule) => rule.literals);
    for (const line of hostileLines(literals, 15_000)) expect(findSecrets(line).length).toBeGreaterThanOrEqual(0);
  });
});
