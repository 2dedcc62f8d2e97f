// What a long set costs: by its files that ran whole here, together or named alone, and said plainly where one was not measured.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { keepMinutes, listLines, readMinutes } from "../../scripts/test/list.ts";
import { tempFolder } from "../support/temp-folder.ts";

const ran = (root: string, file: string, minutes: number, status = "passed") => ({
  testResults: [{ name: join(root, file), status, startTime: 60_000, endTime: 60_000 + minutes * 60_000 }],
});

it("names each file with its minutes, adds up portions and both sets, and does not invent what was not measured", () => {
  const root = tempFolder();
  mkdirSync(join(root, ".build"));
  keepMinutes(root, "crash", ran(root, "tests/a.crash.ts", 2.5));
  keepMinutes(root, "crash", ran(root, "tests/b.crash.ts", 4));
  keepMinutes(root, "crash", ran(root, "tests/b.crash.ts", 3));
  keepMinutes(root, "crash", ran(root, "tests/c.crash.ts", 1, "failed"));
  keepMinutes(root, "fuzz", ran(root, "tests/x.fuzz.ts", 1));
  const set = (name: string, files: readonly string[]) => ({ set: name, files, minutes: readMinutes(root, name) });
  const crash = set("crash", ["tests/b.crash.ts", "tests/a.crash.ts", "tests/c.crash.ts"]);
  expect(listLines(crash, [set("fuzz", ["tests/x.fuzz.ts"])]).map((line) => line.trim())).toEqual([
    "2.5 min  tests/a.crash.ts",
    "3.0 min  tests/b.crash.ts",
    "not measured here  tests/c.crash.ts",
    "crash: 3 files, 2 measured here, 5.5 min together",
    "all long sets: 4 files, 3 measured here, 6.5 min; they may take 180 min one after the other",
  ]);
});
