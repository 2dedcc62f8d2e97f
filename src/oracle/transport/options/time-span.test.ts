import { expect, it } from "vitest";
import { FailureError } from "../../../core/contract/index.ts";
import { ageMs, durationMs } from "./time-span.ts";

const day = 86_400_000;

const refusalOf = (read: () => unknown): unknown => {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    return `${error.failure.message} ${error.failure.remedy ?? ""}`;
  }
};

it("time spans are read with and without units", () => {
  expect([
    durationMs(90, "x"),
    durationMs("90s", "x"),
    durationMs("1.5m", "x"),
    durationMs("250ms", "x"),
    durationMs("2h", "x"),
  ]).toEqual([90_000, 90_000, 90_000, 250, 7_200_000]);
  for (const bad of ["", "soon", "-5", "1y", "5 m", "1e9", "99999d"])
    expect(() => durationMs(bad, "--timeout"), bad).toThrow(FailureError);
});

it("a span that is too long is called so, and a refusal names the place where it was written", () => {
  expect(refusalOf(() => durationMs("31d", "--timeout"))).toMatch(/--timeout 31d is longer than 30 days\. .*20m/);
  expect(refusalOf(() => durationMs("soon", "ORACLE_TIMEOUT"))).toMatch(
    /ORACLE_TIMEOUT soon is not.*ORACLE_TIMEOUT=20m/,
  );
});

it("an age needs a unit and may be longer than any run", () => {
  expect([ageMs("60d", "--older-than"), ageMs("1000h", "--older-than"), ageMs("0d", "--older-than")]).toEqual([
    60 * day,
    3_600_000_000,
    0,
  ]);
  for (const bad of ["7", "1.5", "", "week", `${"9".repeat(300)}d`])
    expect(
      refusalOf(() => ageMs(bad, "--older-than")),
      bad,
    ).toMatch(/is not a time with a unit\..*--older-than 7d/);
});
