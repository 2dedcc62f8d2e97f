// The walk of a day leaves no command out; the walk itself is long and runs with all tests.
import { expect, it } from "vitest";
import { operations } from "../../src/operations/index.ts";
import { commandOf, day, elsewhere } from "./day.ts";

it("[B-32] the walk of a day calls every command that ends by itself", () => {
  const walked = new Set(day.trim().split("\n").map(commandOf));
  const left = operations.filter(({ cli, name }) => cli && !elsewhere.test(name) && !walked.has(name));
  expect(
    left.map(({ name }) => name),
    "a new command has a line in tests/cli/day.ts",
  ).toEqual([]);
});
