// A clause is proven by a test that ran and passed in the recorded run of these very files, and by nothing else.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { idsOf, judgeClauses, readClauses, usesDouble, withDouble } from "../../scripts/conformance/judge.ts";
import { readRecords, recordFile, type Outcome } from "../../scripts/test/record.ts";
import { readState } from "../../scripts/test/state.ts";
import { makeRepository } from "../support/repository.ts";

const clause = { id: "X-1", planned: false, words: "It holds." };
const title = "a thing > [X-1] it holds";
const source = { file: "a.test.ts", title: "[X-1] it holds" };
const ran = (...outcomes: Outcome[]) => outcomes.map((outcome) => ({ file: "a.test.ts", title, outcome }));

describe("a clause", () => {
  it.each([
    { name: "a test that passed", tests: ran("passed"), state: "proven" },
    { name: "one that passed and one that was skipped", tests: ran("skipped", "passed"), state: "proven" },
    { name: "one that passed and one that failed", tests: ran("passed", "failed"), state: "failing" },
    { name: "a test that was skipped", tests: ran("skipped"), state: "unproven" },
    { name: "a test that asserts nothing", tests: ran("empty"), state: "unproven" },
    { name: "a test that never ran", tests: [], state: "unproven" },
  ])("with $name is $state", ({ tests, state }) => {
    expect(judgeClauses([clause], [source], tests).rows).toMatchObject([{ id: "X-1", state }]);
  });

  it("that only tests with a double prove is reported as such", () => {
    const doubles = new Set(["a.test.ts"]);
    const judged = (tests: ReturnType<typeof ran>) => judgeClauses([clause], [source], tests, doubles).rows[0]?.state;
    expect(judged(ran("passed"))).toBe("double");
    expect(judged([...ran("passed"), { file: "real.test.ts", title, outcome: "passed" }])).toBe("proven");
    expect(judged([...ran("passed"), { file: "real.test.ts", title, outcome: "skipped" }])).toBe("double");
    expect(usesDouble("bench.double([{ answer }])")).toBe(true);
    expect(usesDouble("const real = openTestDesk();")).toBe(false);
  });

  it("whose test has its double from a suite, a scene or a support file is reported as such too", () => {
    const texts = new Map([
      ["tests/a/a.test.ts", 'import { play } from "./suite.ts";'],
      ["tests/a/suite.ts", 'import { open } from "../support/scene.ts";\nexport const play = open;'],
      ["tests/support/scene.ts", 'import { ApiServer } from "./api-server.ts";'],
      ["tests/support/api-server.ts", "export class ApiServer {}"],
      ["tests/a/real.test.ts", 'import { git } from "../support/repository.ts";'],
      ["tests/a/typed.test.ts", 'import type { Play } from "../support/scene.ts";'],
      ["tests/support/repository.ts", "export const git = 1;"],
    ]);
    expect([...withDouble(texts)].sort()).toEqual(["tests/a/a.test.ts", "tests/a/suite.ts", "tests/support/scene.ts"]);
  });

  it("fails with a test file that cannot be loaded, whatever another file proves", () => {
    const elsewhere = [{ file: "b.test.ts", title, outcome: "passed" as const }];
    const judged = (broken: string[]) => judgeClauses([clause], [source], elsewhere, new Set(), broken).rows[0]?.state;
    expect(judged([])).toBe("proven");
    expect(judged(["a.test.ts"])).toBe("failing");
  });

  it("that is planned is reported separately, whatever its tests do, unless one fails", () => {
    const planned = { ...clause, planned: true };
    expect(judgeClauses([planned], [], ran("passed")).rows[0]?.state).toBe("planned");
    expect(judgeClauses([planned], [], ran("failed")).rows[0]?.state).toBe("failing");
  });

  it("says why it is unproven", () => {
    const reason = (named: boolean, ...outcomes: Outcome[]) =>
      judgeClauses([clause], named ? [source] : [], ran(...outcomes)).rows[0]?.reason;
    expect(reason(false)).toBe("no test names it");
    expect(reason(true)).toContain("did not run");
    expect(reason(true, "skipped")).toContain("skipped");
    expect(reason(true, "empty")).toContain("assert nothing");
  });

  it("that no contract has is an error of the test that names it", () => {
    expect(judgeClauses([], [source], [])).toEqual({ rows: [], unknown: ["X-1"] });
  });

  it("is read from its line, and its ids from titles", () => {
    expect(readClauses("# X\n\n- **X-1** It holds.\n  More of it.\n- **X-2** (planned) Later.\n")).toEqual([
      clause,
      { id: "X-2", planned: true, words: "Later." },
    ]);
    expect(idsOf("a > [X-1, X-2] b > [Y-10] c [not an id]")).toEqual(["X-1", "X-2", "Y-10"]);
  });

  it("has an id that no other clause of the contracts has", () => {
    const folder = resolve(import.meta.dirname, "../../docs/contracts");
    const ids = readdirSync(folder).flatMap((name) =>
      readClauses(readFileSync(join(folder, name), "utf8")).map(({ id }) => id),
    );
    expect(ids.length).toBeGreaterThan(100);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe("recorded results", () => {
  function makeRecord(dir: string, of: object): void {
    const path = recordFile(dir, "default");
    const assertionResults = [
      { ancestorTitles: ["a thing"], title: "[X-1] it holds", status: "passed", meta: { assertions: 1 } },
      { ancestorTitles: [], title: "[X-2] nothing", status: "passed", meta: { assertions: 0 } },
      { ancestorTitles: [], title: "[X-3] later", status: "todo" },
    ];
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(
      path,
      JSON.stringify({
        testResults: [
          { name: join(dir, "a.test.ts"), status: "passed", assertionResults },
          { name: join(dir, "b.test.ts"), status: "failed", assertionResults: [] },
        ],
        of,
      }),
    );
  }

  function makeProject() {
    const repo = makeRepository({ "a.test.ts": "one\n", ".gitignore": ".build\n" });
    onTestFinished(() => repo.remove());
    return repo.dir;
  }

  it("count for the files they were made of", () => {
    const dir = makeProject();
    const state = readState(dir);
    makeRecord(dir, { ...state });
    expect(readRecords(dir, readState(dir))).toEqual({
      tests: [
        { file: "a.test.ts", title, outcome: "passed" },
        { file: "a.test.ts", title: "[X-2] nothing", outcome: "empty" },
        { file: "a.test.ts", title: "[X-3] later", outcome: "skipped" },
      ],
      stale: [],
      broken: ["b.test.ts"],
    });
  });

  it.each([
    { name: "a changed file", file: "a.test.ts" },
    { name: "a new file", file: "b.test.ts" },
  ])("do not count after $name", ({ file }) => {
    const dir = makeProject();
    makeRecord(dir, { ...readState(dir) });
    writeFileSync(join(dir, file), "two\n");
    expect(readRecords(dir, readState(dir))).toEqual({ tests: [], stale: ["default"], broken: [] });
  });

  it("do not count outside of a git checkout", () => {
    const dir = makeProject();
    makeRecord(dir, { ...readState(dir) });
    expect(readRecords(dir, undefined)).toEqual({ tests: [], stale: ["default"], broken: [] });
  });
});
