// What a long set costs: by the record of its last whole run, and said plainly where there is none.
import { expect, it } from "vitest";
import { listLines, minutesOf } from "../../scripts/test/list.ts";

it("names each file of the set with its minutes, and does not invent what was not measured", () => {
  const ran = { name: "/p/tests/a.crash.ts", assertionResults: [], startTime: 60_000, endTime: 210_000 };
  const results = { numPassedTests: 1, numFailedTests: 0, testResults: [ran] };
  const lines = listLines("crash", ["tests/b.crash.ts", "tests/a.crash.ts"], minutesOf("/p", results));
  expect(lines.map((line) => line.trim())).toEqual([
    "2.5 min  tests/a.crash.ts",
    "not measured here  tests/b.crash.ts",
    "crash: 2 files, 1 measured when the set last ran whole here, 2.5 min together; all long sets may take 180 min",
  ]);
  expect(listLines("fuzz", ["x.fuzz.ts"], minutesOf("/p", undefined))[0]?.trim()).toBe("not measured here  x.fuzz.ts");
});
