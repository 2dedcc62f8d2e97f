// The second try of test files that failed beside the others.
import { describe, expect, it } from "vitest";
import { filesToTryAgain, unsteadyTests, withSecondTry } from "../../scripts/test/again.ts";
import type { Results } from "../../scripts/test/record.ts";

const file = (name: string, tests: Readonly<Record<string, string>>): Results["testResults"][number] => ({
  name,
  assertionResults: Object.entries(tests).map(([title, status]) => ({
    fullName: title,
    ancestorTitles: [],
    title,
    status,
  })),
});
const results = (...testResults: Results["testResults"]): Results => ({
  testResults,
  numPassedTests: 0,
  numFailedTests: 0,
});

describe("the second try of tests that failed", () => {
  const first = results(file("a", { one: "passed" }), file("b", { two: "failed", three: "failed", four: "passed" }));

  it("tries the files again that failed, and none where many did", () => {
    expect(filesToTryAgain(first, 0)).toEqual(["b"]);
    expect(filesToTryAgain(results({ ...file("c", {}), status: "failed" }), 0)).toEqual(["c"]);
    expect(filesToTryAgain(results(file("a", { one: "passed", other: "pending" })), 0)).toEqual([]);
    const many = [..."abcdef"].map((name) => file(name, { one: "failed" }));
    expect(filesToTryAgain(results(...many), 0)).toEqual([]);
  });

  it("tries none again where an error belonged to no test: the run stays failed", () => {
    expect(filesToTryAgain(first, 1)).toEqual([]);
  });

  it("names a test that passes alone, and a test that fails twice stays failed", () => {
    const second = results(file("b", { two: "passed", three: "failed", four: "passed" }));
    expect(unsteadyTests(first, second)).toEqual(["two"]);
    const both = withSecondTry(first, second);
    expect({ passed: both.numPassedTests, failed: both.numFailedTests }).toEqual({ passed: 3, failed: 1 });
    expect(both.testResults.map(({ name }) => name)).toEqual(["a", "b"]);
  });
});
