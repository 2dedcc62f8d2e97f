import { describe, expect, it } from "vitest";
import { compareTests, idleTests } from "../baseline.ts";
import { looksAround } from "../surroundings.ts";
import type { Runner } from "./count.ts";
import { lacking, namedTests, namingTests } from "./names.ts";

describe("[B-8] tests by name", () => {
  it.each<[Runner, string, readonly string[], readonly string[]]>([
    ["node", "✔ adds (0.5ms)\n▶ group\n  ✖ inner (1.2ms)\n", ["adds"], ["inner"]],
    ["node", "ok 1 - adds\nnot ok 2 - takes\nok 3 - later # SKIP\n", ["adds"], ["takes"]],
    [
      "vitest",
      " ✓ test/a.test.js > adds 3ms\n × test/a.test.js > takes 4ms\n",
      ["test/a.test.js > adds"],
      ["test/a.test.js > takes"],
    ],
    ["mocha", "    ✔ adds\n    1) takes\n", ["adds"], []],
    ["cargo", "test tests::adds ... ok\ntest x ... FAILED\ntest y ... ignored\n", ["tests::adds"], ["x"]],
    [
      "go",
      "--- PASS: TestAdd (0.00s)\n    --- FAIL: TestAdd/zero (0.00s)\n--- SKIP: TestX (0.00s)\n",
      ["TestAdd"],
      ["TestAdd/zero"],
    ],
    [
      "pytest",
      "tests/test_a.py::test_add PASSED [ 50%]\ntests/test_a.py::test_b FAILED [100%]\n",
      ["tests/test_a.py::test_add"],
      ["tests/test_a.py::test_b"],
    ],
    [
      "unittest",
      "test_add (tests.test_a.T) ... ok\ntest_b (tests.test_a.T) ... FAIL\n",
      ["test_add (tests.test_a.T)"],
      ["test_b (tests.test_a.T)"],
    ],
  ])("%s tells them", (runner, text, passed, failed) => {
    expect(namedTests(text, [runner])).toEqual({ passed, failed });
  });

  it("numbers and places in a name may differ from run to run", () => {
    const [one, two] = ["✔ port 4711 in /tmp/a1/x (1ms)", "✔ port 80 in /tmp/b2/x (2ms)"];
    expect(namedTests(one, ["node"]).passed).toEqual(namedTests(two, ["node"]).passed);
    expect(lacking(["a", "a", "b"], ["a", "b"])).toEqual(["a"]);
  });

  it.each<[readonly [string, ...string[]], string, readonly string[]]>([
    [["python3", "-m", "pytest"], "python3 -m pytest", ["python3", "-m", "pytest", "-v"]],
    [
      ["python3", "-m", "unittest", "discover", "-s", "t"],
      "",
      ["python3", "-m", "unittest", "discover", "-v", "-s", "t"],
    ],
    [["npm", "run", "test"], "npm run test vitest run", ["npm", "run", "test", "--", "--reporter=verbose"]],
    [["pnpm", "run", "test"], "pnpm run test jest", ["pnpm", "run", "test", "--verbose"]],
    [["npm", "run", "test"], "npm run test jest && echo", ["npm", "run", "test"]],
    [["npm", "run", "test"], "npm run test vitest --reporter=dot", ["npm", "run", "test"]],
    [["npm", "run", "test"], "npm run test node --test", ["npm", "run", "test"]],
  ])("a runner is asked for names: %j %s", (argv, script, asked) => {
    expect(namingTests(argv, script)).toEqual(asked);
  });

  const named = (result: "passed" | "failed", passed: string[], failed: string[] = []) => ({
    result,
    tests: { passed, failed },
  });
  it("a test of the base that did not pass on the work is missing, however many others ran", () => {
    expect(compareTests(named("passed", ["a", "b"]), named("passed", ["a", "c"]))).toEqual({
      missingTests: ["b"],
    });
    expect(compareTests(named("passed", ["a"]), named("passed", ["a", "b"]))).toEqual({});
    expect(compareTests(named("passed", ["a"]), named("passed", []))).toEqual({});
  });

  it("in a suite that is red before and after, a test that fails anew is seen", () => {
    const base = named("failed", ["a", "b"], ["x"]);
    expect(compareTests(base, named("failed", ["a"], ["b", "x"]))).toEqual({ newlyFailing: ["b"] });
    expect(compareTests(base, named("failed", ["a", "b"], ["x"]))).toEqual({});
  });

  it("a new test that passes on the base proves nothing new", () => {
    const tests = (...passed: string[]) => ({ passed, failed: [] });
    expect(idleTests(tests("a"), tests("a", "b", "c"), tests("a", "b"))).toEqual(["b"]);
  });
});

describe("source that looks around", () => {
  it.each([
    ["a.js", "const ci = process.env.CI;", "surroundings", "its variables"],
    ["a.js", "new Error().stack.includes('x')", "surroundings", "its callers"],
    ["a.go", 'if flag.Lookup("x") != nil {', "surroundings", "its callers"],
    ["a.py", "lucky = time.time() % 4", "chance", "the clock"],
  ])("%s: %s", (path, line, at, what) => {
    expect(looksAround(path, `first\n${line}`, [[2, 1]])).toMatchObject([{ path, line: 2, at, what }]);
    expect(looksAround(path, `first\n${line}`, [[1, 1]])).toEqual([]);
  });
});
