import { describe, expect, it } from "vitest";
import { attachReporter, goReader, goReporting, refusedReporter, reportOf } from "./index.ts";
import { readSession } from "./runner-session.ts";

const lines = (...records: readonly unknown[]) =>
  readSession(records.map((record) => `${JSON.stringify(record)}\n`).join(""));
const start = { runner: "node" };
const passed = { name: "adds", ended: "passed" };
const end = { planned: null, failed: false };
const faultOf = (...records: readonly unknown[]) => reportOf([lines(...records)])?.fault;

describe("the report of a runner [B-7]", () => {
  it("[B-7] counts the tests that ran and names those that passed", () => {
    const left = { name: "later", ended: "left" };
    const excused = { name: "known", ended: "excused" };
    expect(reportOf([lines(start, passed, left, excused, end)])).toEqual({
      runners: ["node"],
      sessions: 1,
      ran: 2,
      failed: 0,
      tests: { passed: ["adds"], failed: [] },
      fault: null,
    });
    expect(reportOf([])).toBeNull();
  });

  it("[B-7] a report that does not add up says why", () => {
    expect(faultOf(start, passed)).toBe("node never reported that it came to its end");
    expect(faultOf(start, passed, { planned: 2, failed: false })).toBe("node was to run 2 tests and reported 1");
    expect(faultOf(start, passed, { planned: 1, failed: true })).toBe("node calls the run failed");
    const foreign = "a program that is not a reporter wrote into its report";
    expect(faultOf(start, passed, end, passed)).toBe(foreign);
    expect(faultOf(start, "forged", end)).toBe(foreign);
    expect(faultOf(passed, end)).toBe(foreign);
    expect(reportOf([readSession('{"runner":"node"}\n{"name')])?.fault).toBe(foreign);
  });

  it("[B-7] go's own report gives the text back, and a test that only was printed does not count", () => {
    const reader = goReader();
    const event = (record: object) => `${JSON.stringify({ Package: "x", ...record })}\n`;
    const output =
      event({ Action: "run", Test: "TestAdd" }) +
      event({ Action: "output", Test: "TestAdd", Output: "--- PASS: TestAdd (0.00s)\n" }) +
      event({ Action: "pass", Test: "TestForged" }) +
      event({ Action: "pass", Test: "TestAdd" }) +
      event({ Action: "pass" });
    expect(reader.read(output.slice(0, 30)) + reader.read(output.slice(30))).toBe("--- PASS: TestAdd (0.00s)\n");
    const { session } = reader.end();
    expect(session && reportOf([session])).toMatchObject({ ran: 1, tests: { passed: ["x TestAdd"] } });
    const cut = goReader();
    cut.read(event({ Action: "run", Test: "TestAdd" }) + event({ Action: "pass" }));
    const { session: half } = cut.end();
    expect(half && reportOf([half])?.fault).toBe("go never reported that it came to its end");
  });

  it("a reporter is given by words or variables, and only where all of it arrives", () => {
    const npm = ["npm", "run", "test"] as const;
    const words = (script: string) => attachReporter([...npm], `npm run test ${script}`, "/f");
    expect(words("vitest run")?.argv).toEqual([...npm, "--", "--reporter=verbose", "--reporter=/f/vitest.cjs"]);
    expect(words("jest --ci 'a b'")?.argv.at(-1)).toBe("--reporters=/f/jest.cjs");
    expect(words("mocha")?.argv.at(-1)).toBe("--reporter=/f/mocha.cjs");
    expect(words("node --test")?.env).toEqual({ NODE_OPTIONS: [" ", "--test-reporter=/f/node-test.cjs"] });
    expect(attachReporter(["pytest"], "pytest", "/f")?.env).toEqual({
      PYTEST_ADDOPTS: [" ", "-p told_by_pytest"],
      PYTHONPATH: [":", "/f"],
    });
    for (const script of [
      "vitest run && rm -rf x",
      "mocha --reporter dot",
      "node --test --test-reporter=tap",
      "jest $(cat list)",
      "tsc",
    ])
      expect(words(script), script).toBeNull();
    expect(attachReporter(["tox"], "tox -- pytest", "/f")).toBeNull();
    expect(refusedReporter("node: --test-reporter= is not allowed in NODE_OPTIONS", "/f", true)).toBe(true);
    expect(refusedReporter("Cannot find module '/f/vitest.cjs'", "/f", false)).toBe(true);
    expect(refusedReporter("at /f/mocha.cjs:3\n1 failing", "/f", true)).toBe(false);
    expect(goReporting(["go", "test", "./..."])).toEqual(["go", "test", "-json", "./..."]);
    expect(goReporting(["go", "vet", "./..."])).toBeNull();
  });
});
