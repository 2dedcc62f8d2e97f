import { describe, expect, it } from "vitest";
import type { CommandOutcome } from "../../../core/contract/index.ts";
import { countTests as count, plainLines, runnersNamed } from "../log/count.ts";
import { judgeCheck } from "./judge.ts";

const countTests = (text: string) => count(plainLines(new TextEncoder().encode(text)));
const ran = (exitCode: number | null, stdout: string, more: Partial<CommandOutcome> = {}): CommandOutcome => ({
  exitCode,
  signal: null,
  ended: "exited",
  stdout: new TextEncoder().encode(stdout),
  stderr: new Uint8Array(),
  truncated: false,
  durationMs: 5,
  sandbox: { kind: "none", network: false },
  ...more,
});
const tree = { hollow: false, hasFile: (path: string) => path === "test/a.test.js" };
const outcome = (exitCode: number | null, stdout: string, more: Partial<CommandOutcome> = {}) =>
  judgeCheck("test", ran(exitCode, stdout, more), tree).result;

describe("what the end of a check means [R-33]", () => {
  it.each([
    ["npm's placeholder", 1, "Error: no test specified"],
    ["node --test with no test", 0, "# tests 0\n# suites 0\n# pass 0"],
    ["node --test, spec reporter", 0, "ℹ tests 0\nℹ pass 0"],
    ["pytest's exit code 5", 5, "collected 0 items\n\n==== no tests ran in 0.01s ===="],
    ["jest", 1, "No tests found, exiting with code 1"],
    ["jest --passWithNoTests", 0, "No tests found, exiting with code 0"],
    ["vitest", 0, "No test files found, exiting with code 0"],
    ["go", 0, "?   \texample/a\t[no test files]\n?   \texample/b\t[no test files]"],
    ["go test -run of nothing", 0, "ok  \texample/a\t0.001s [no tests to run]"],
    ["cargo", 0, "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored\n"],
    ["unittest", 0, "\nRan 0 tests in 0.000s\n\nOK"],
    ["unittest of Python 3.12", 5, "Ran 0 tests in 0.000s\n\nNO TESTS RAN"],
    ["mocha", 0, "\n  0 passing (1ms)\n"],
    ["rspec", 0, "0 examples, 0 failures"],
    ["phpunit", 0, "No tests executed!"],
    ["playwright", 1, "Error: No tests found"],
    ["a tap plan of nothing", 0, "TAP version 13\n1..0"],
    ["only skipped tests", 0, "==== 3 skipped in 0.02s ===="],
  ])("%s ran nothing, which does not count as a pass", (_name, code, text) => {
    expect(outcome(code, text)).toBe("nothing_ran");
  });

  it.each([
    ["node --test", "# tests 3\n# pass 3\n# fail 0", 3],
    ["several runners in one script", "# tests 3\n# tests 0\n", 3],
    ["jest", "Tests:       1 failed, 2 skipped, 4 passed, 7 total", 5],
    ["vitest", " Test Files  1 passed (1)\n      Tests  2 passed | 1 skipped (3)", 2],
    ["vitest in colours", "\u001b[2m      Tests \u001b[22m \u001b[1m\u001b[32m30 passed\u001b[39m\u001b[22m (30)", 30],
    ["pytest", "=== 2 failed, 10 passed, 1 warning in 0.12s ===", 12],
    ["pytest -q", "2 passed in 0.01s", 2],
    ["cargo with doc tests", "test result: ok. 4 passed; 0 failed; 0 ignored\ntest result: ok. 0 passed; 0 failed;", 4],
    ["unittest", "Ran 12 tests in 0.001s", 12],
    ["mocha", "  3 passing (9ms)\n  1 failing\n", 4],
    ["rspec", "7 examples, 0 failures", 7],
    ["phpunit", "OK (5 tests, 9 assertions)", 5],
    ["maven", "[INFO] Tests run: 8, Failures: 0, Errors: 0, Skipped: 0", 8],
  ])("counts the tests of %s", (_name, text, count) => {
    expect(countTests(text)).toBe(count);
  });

  it("does not count what it does not know, and then trusts the exit code", () => {
    expect(countTests("all good")).toBeNull();
    expect(countTests("ok  \texample/a\t0.01s\n?   \texample/b\t[no test files]")).toBeNull();
    expect(outcome(0, "all good")).toBe("passed");
    expect(outcome(2, "bad")).toBe("failed");
  });

  it("a line that a test prints in the middle of its output does not hide the real count", () => {
    expect(countTests("I say # tests 0\n# tests 2\n")).toBe(2);
  });

  it("a failing run that counts no test is a failure, not nothing to run", () => {
    expect(outcome(1, "# tests 0\n# fail 0\nSyntaxError")).toBe("failed");
  });

  it("a program or module that is not here is not run", () => {
    expect(outcome(127, "sh: 1: vitest: not found")).toBe("not_started");
    expect(outcome(1, "/usr/bin/python3: No module named pytest")).toBe("not_started");
    expect(outcome(null, "", { ended: "not_started", error: "ENOENT" })).toBe("not_started");
  });

  it("a missing program is reported as not installed, a time limit with its place in the configuration", () => {
    const why = (exitCode: number | null, text: string, more: object = {}) =>
      judgeCheck("test", { ...ran(exitCode, text), ...more }, tree);
    expect(why(127, "sh: 1: vitest: not found").why).toBe("vitest is not installed");
    const gone = { ended: "not_started" as const, error: "The program pnpm was not found" };
    expect(why(null, "", gone)).toMatchObject({ result: "not_started", why: "pnpm is not installed" });
    expect(why(null, "", { ended: "timeout", durationMs: 2000 }).why).toMatch(/timed out.*2000 ms.*checkTimeoutMs/);
    for (const text of [
      "a.go:3:8: no required module provides package x.org/y; to add it:",
      "error: no matching package named `serde` found",
    ])
      expect(why(text.startsWith("error") ? 101 : 1, text).result).toBe("not_started");
  });

  it("a module of the project that is missing is a failure of the project", () => {
    expect(outcome(1, "ModuleNotFoundError: No module named 'app'")).toBe("failed");
  });

  it("a check that hangs or floods has failed; one that was stopped was not run", () => {
    expect(outcome(null, "", { ended: "timeout" })).toBe("timed_out");
    expect(outcome(null, "", { ended: "output_limit" })).toBe("failed");
    expect(outcome(null, "", { ended: "aborted" })).toBe("not_started");
  });

  it("a script that only echoes judges nothing", () => {
    expect(judgeCheck("lint", ran(0, "ok"), { ...tree, hollow: true }).result).toBe("nothing_ran");
  });

  it("hostile output cannot keep us busy", () => {
    for (const piece of ["1 a1 a1", " ", "\n", "sh: a: ", "\u001b[", "= ", "Tests  1 a | ", "? a\t", "1.."])
      expect(outcome(1, piece.repeat(Math.floor(1_000_000 / piece.length)))).toBe("failed");
  });

  it.each([
    ["a target without a recipe", "make: Nothing to be done for 'test'."],
    ["a file that has the target's name", "make: 'test' is up to date."],
    ["in a make below", "make[1]: Nothing to be done for 'all'."],
  ])("[R-33] make with nothing to do judged nothing: %s", (_what, text) => {
    expect(outcome(0, text)).toBe("nothing_ran");
    expect(outcome(0, `cc -o x x.c\n${text}`)).toBe("passed");
  });

  it.each([
    ["node", "ℹ tests 3\nℹ skipped 1\nℹ todo 1", 1],
    ["unittest", "Ran 3 tests in 0.1s\n\nOK (skipped=2)", 1],
    ["rspec", "3 examples, 0 failures, 1 pending", 2],
    ["ctest", "100% tests passed, 0 tests failed out of 3", 3],
    ["minitest", "3 runs, 3 assertions, 0 failures, 0 errors, 2 skips", 1],
    ["exunit", "3 tests, 0 failures, 1 skipped", 2],
    ["phpunit", "Tests: 3, Assertions: 2, Skipped: 1.", 2],
    ["maven", "[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 1", 2],
    ["dotnet", "Passed!  - Failed:     0, Passed:     3, Skipped:     1, Total:     4", 3],
  ])("[R-33] what was skipped was not run: %s", (_runner, text, count) => {
    expect(judgeCheck("test", ran(0, text), tree).testsRun).toBe(count);
  });

  it("[R-33] a test file that ends well without a test is distinguished from one that ran its tests", () => {
    const silent = (text: string) => judgeCheck("test", ran(0, text), tree).silentFiles;
    expect(silent("✔ test/a.test.js (31.5ms)\nℹ tests 1\nℹ pass 1")).toBe(1);
    expect(silent("ok 1 - test/a.test.js\n# tests 1")).toBe(1);
    expect(silent("✔ adds (0.5ms)\nℹ tests 1\nℹ pass 1")).toBe(0);
    expect(silent("1 passed in 0.01s")).toBeNull();
  });

  it.each([
    ["pytest that was made to end with 0", "collected 2 items\n\n==== 2 failed in 0.16s ===="],
    ["pytest with an error", "==== 1 passed, 1 error in 0.16s ===="],
    ["node", "ℹ tests 2\nℹ pass 1\nℹ fail 1"],
    ["jest", "Tests:       1 failed, 2 passed, 3 total"],
    ["vitest", "      Tests  1 failed | 2 passed (3)"],
    ["mocha", "  2 passing (1ms)\n  1 failing"],
    ["unittest", "Ran 3 tests in 0.1s\n\nFAILED (failures=1)"],
    ["cargo", "running 2 tests\ntest result: FAILED. 1 passed; 1 failed; 0 ignored"],
    ["minitest", "3 runs, 3 assertions, 0 failures, 1 errors, 0 skips"],
    ["maven", "[INFO] Tests run: 3, Failures: 0, Errors: 1, Skipped: 1"],
  ])("[R-33] a runner that tells of failures has not passed, whatever the exit code: %s", (_runner, text) => {
    expect(outcome(0, text)).toBe("failed");
  });

  it.each([
    ["cargo, ended inside its first test", "running 2 tests\ntest result: ok. 1 passed; 0 failed; 0 ignored"],
    ["pytest, ended before its last test", "collected 3 items\n\n==== 2 passed in 0.16s ===="],
    ["node, with a line too many", "ℹ tests 99\nℹ pass 2\nℹ fail 0"],
  ])("[R-33] a runner whose own numbers contradict each other has not passed: %s", (_runner, text) => {
    expect(outcome(0, text)).toBe("failed");
  });

  it("[R-33] the output of another runner than the one that was called does not count", () => {
    const text = "# tests 99\n==== 2 skipped in 0.16s ====";
    const judged = judgeCheck("test", ran(0, text), { ...tree, runners: runnersNamed("python3 -m pytest") });
    expect(judged).toMatchObject({ result: "nothing_ran", testsRun: 0 });
    expect(countTests("# tests 99\n==== 2 passed in 0.16s ====")).toBe(2);
  });

  it("[R-33] the tests of Go are counted one by one, and a package that ran none has judged nothing", () => {
    const go = { ...tree, runners: runnersNamed("go test ./...") };
    const output = "=== RUN   TestA\n--- PASS: TestA (0.00s)\n--- SKIP: TestB (0.00s)\nPASS\nok  \texample/a\t0.01s";
    expect(judgeCheck("test", ran(0, output), go)).toMatchObject({ result: "passed", testsRun: 1 });
    expect(judgeCheck("test", ran(0, "ok  \texample/a\t0.01s"), go)).toMatchObject({ result: "nothing_ran" });
  });

  it("[R-33] a check under which its own tests were changed has not passed", () => {
    const judged = judgeCheck("test", ran(0, "# tests 3"), { ...tree, changed: ["tests/a.py"] });
    expect(judged).toMatchObject({ result: "failed", why: "tests/a.py was changed while it ran" });
  });
});
