import { describe, expect, it } from "vitest";
import { failingLines } from "./failing-lines.ts";

const noise = (word: string, count = 40) => Array.from({ length: count }, (_, at) => `${word} ${at}`);

describe("the lines that tell what failed", () => {
  it.each([
    ["TAP", ["not ok 1 - adds", "  ---", "  error: |-", "    -1 !== 3"], "-1 !== 3"],
    ["node", ["✖ failing tests:", "test at a.test.js:4:1", "✖ adds (3 ms)", "  -1 !== 3"], "-1 !== 3"],
    ["vitest", ["⎯⎯⎯ Failed Tests 1 ⎯⎯⎯", " FAIL  a.test.ts > adds", "AssertionError: -1"], "AssertionError"],
    ["mocha", ["  1 failing", "", "  1) adds:", "     AssertionError: -1 == 3"], "-1 == 3"],
    ["jest", ["  ● adds", "    Expected: 3"], "Expected: 3"],
    ["pytest", ["=== FAILURES ===", "___ test_adds ___", "E       assert -1 == 3"], "assert -1 == 3"],
    ["go", ["--- FAIL: TestAdds (0.00s)", "    add_test.go:9: the sum is -1"], "the sum is -1"],
    ["cargo", ["---- adds stdout ----", "thread 'adds' panicked at src/lib.rs:1"], "panicked"],
    ["a compiler", ["error[E0308]: mismatched types", " --> src/lib.rs:1"], "mismatched types"],
  ])("of %s are shown although many lines follow", (_, output, wanted) => {
    const shown = failingLines([...noise("before"), ...output, ...noise("after")].join("\n"));
    expect(shown).toHaveLength(15);
    expect(shown[0]).toBe(output[0]);
    expect(shown.join("\n")).toContain(wanted);
    expect(shown.slice(-4)).toEqual(["…", "after 37", "after 38", "after 39"]);
  });

  it("are the last ones where no line is known to tell, or where the end tells all of it", () => {
    expect(failingLines(noise("line").join("\n"), 3)).toEqual(["line 37", "line 38", "line 39"]);
    expect(failingLines([...noise("line"), "FAILED a", "why"].join("\n"), 3)).toEqual(["line 39", "FAILED a", "why"]);
    expect(failingLines("\n")).toEqual([]);
  });

  it("begin with the heading of the details where these stand at the end", () => {
    const output = ["✖ failing tests:", "✖ adds (3 ms)", "  -1 !== 3"];
    expect(failingLines([...noise("ℹ tests"), ...output].join("\n"))).toEqual(output);
  });
});
