// Two runs in a row, and nothing committed in between: the second one builds on the work of the first.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openTestDesk, stub } from "./program.ts";

const file = "src/a.js";
const lines = "export const a = 1;\n\n\n\n\n\n\n\nexport const b = 1;\n";

it("[B-1] the second run works on what the first one integrated", () => {
  const desk = openTestDesk({
    "package.json": '{"name":"x","type":"module"}\n',
    [file]: lines,
  });
  const path = join(desk.repo.dir, file);
  const run = (find: string, text: string) => {
    const edits = [{ op: "replace", path: file, find, with: text }];
    const script = stub({ roles: { implementer: [{ edits, payload: { changedFiles: [file] } }] } });
    const ran = desk.thehood([
      "run",
      "x",
      "--team",
      "stub",
      "--approvals",
      "autopilot",
      "--no-checks",
      "--json",
      ...script,
    ]);
    return { ...ran.json<{ runId: string; state: string }>(), err: ran.err };
  };
  const first = run("a = 1", "a = 2");
  expect(first.state, first.err).toBe("completed");
  const second = run("b = 1", "b = 2");
  expect(second.state, second.err).toBe("completed");
  expect(readFileSync(path, "utf8")).toBe(lines.replace("a = 1", "a = 2").replace("b = 1", "b = 2"));
  // The change of the second run is its own alone.
  const { out } = desk.thehood(["diff", second.runId]);
  expect(out).toContain("+export const b = 2;");
  expect(out).not.toContain("+export const a = 2;");
});

interface LoggedCheck {
  readonly event: {
    readonly type: string;
    readonly check?: {
      readonly variant: string;
      readonly result: string;
      readonly reused?: { readonly runId?: string };
    };
  };
}

/** A repository with one test, runs that begin in it, and the checks on the base commit in their logs. */
function openTested() {
  const desk = openTestDesk({
    "package.json": '{"name":"x","type":"module","scripts":{"test":"node --test"}}\n',
    "a.js": "export const a = () => 1;\n",
    "a.test.js":
      'import { test } from "node:test";\nimport assert from "node:assert";\nimport { a } from "./a.js";\ntest("a", () => assert.equal(a(), 1));\n',
  });
  const edits = [{ op: "replace", path: "a.js", find: "() => 1", with: "() => 0 + 1" }];
  const script = stub({ roles: { implementer: [{ edits, payload: { changedFiles: ["a.js"] } }] } });
  const begin = () => desk.thehood(["run", "x", "--team", "stub", "--json", ...script]).json<{ runId: string }>().runId;
  const baseOf = (runId: string) =>
    desk
      .thehood(["show", runId, "--log", "--json"])
      .json<{ events: readonly LoggedCheck[] }>()
      .events.flatMap(({ event: { check } }) => (check?.variant === "base" ? [check] : []));
  return { desk, begin, baseOf };
}

it("[B-32] what checks test found on this commit is known to checks and doctor, and a run does not test it again", () => {
  const { desk, begin, baseOf } = openTested();
  expect(desk.thehood(["checks"]).out).toMatch(/^\? npm:test/);
  expect(desk.thehood(["checks", "test"]).out).toMatch(/^✔ npm:test +passes/);
  expect(desk.thehood(["checks"]).out).toMatch(/^✔ npm:test[^]*passes on this commit/);
  expect(desk.thehood(["doctor"]).out).toMatch(/npm:test ✔ \d/);
  const run = begin();
  expect(baseOf(run)).toEqual([
    expect.objectContaining({ result: "passed", reused: { at: expect.any(Number) }, baseline: expect.anything() }),
  ]);
  // The tests of the work are compared by name with those that checks test saw.
  desk.thehood(["continue", run, "--json"]);
  // Another commit is another thing to test.
  desk.repo.write("a.js", "export const a = () => 2 - 1;\n");
  desk.repo.git("commit", "-qam", "again");
  expect(desk.thehood(["checks"]).out).toMatch(/^\? npm:test/);
  expect(baseOf(begin())).toEqual([expect.not.objectContaining({ reused: expect.anything() })]);
});

it("a check that fails in checks test shows why, and a run tries it itself", () => {
  const { desk, begin, baseOf } = openTested();
  desk.repo.write("a.js", "export const a = () => 2;\n");
  desk.repo.git("commit", "-qam", "red");
  const tested = desk.thehood(["checks", "test"]);
  expect(tested.code).toBe(5);
  expect(tested.out).toMatch(/^✘ npm:test +fails[^]*actual: 2/);
  expect(desk.thehood(["checks"]).out).toMatch(/^◆ npm:test/);
  expect(baseOf(begin())).toEqual([expect.not.objectContaining({ reused: expect.anything() })]);
});

it("[B-32] a check that passed on this commit is not run again before the start, until the tools have changed", () => {
  const { desk, begin, baseOf } = openTested();
  const first = begin();
  expect(baseOf(first)).toEqual([expect.not.objectContaining({ reused: expect.anything() })]);
  const second = begin();
  expect(baseOf(second)).toEqual([
    expect.objectContaining({ result: "passed", reused: expect.objectContaining({ runId: first }) }),
  ]);
  // The tests are still compared by name with those of the base.
  const ended = desk.thehood(["continue", second, "--json"]);
  expect(ended.code).toBe(3);
  desk.repo.write("node_modules/x/index.js", "");
  expect(baseOf(begin())).toEqual([expect.not.objectContaining({ reused: expect.anything() })]);
});
