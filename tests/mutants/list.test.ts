// The list of mutants itself: each has an id of its own, tests that are there, and a place in today's code.
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { drawSome } from "../../scripts/mutants/draw.ts";
import { mutate } from "../../scripts/mutants/mutate.ts";
import { fileOf } from "../../scripts/mutants/scratch.ts";
import { random } from "../support/commands/mutate.ts";
import { mutants } from "./index.ts";

const root = resolve(import.meta.dirname, "../..");

it("each mutant has its own id, and its tests exist", () => {
  expect(mutants.length).toBeGreaterThan(80);
  expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length);
  const missing = mutants.flatMap(({ id, tests }) =>
    tests.filter((test) => !existsSync(join(root, fileOf(test)))).map((test) => `${id}: ${test}`),
  );
  expect(missing).toEqual([]);
});

it("each mutant's text occurs exactly once in its file, and is changed by it", () => {
  const stale = mutants.filter(({ file, search, replace }) => {
    const text = readFileSync(join(root, file), "utf8");
    const broken = mutate(text, search, replace);
    return broken === null || broken === text;
  });
  expect(stale.map(({ id, file }) => `${id} ${file}`)).toEqual([]);
});

it("a sample draws no mutant twice, and the same ones for the same seed", () => {
  const draw = (seed: number, count: number) => [...drawSome(100, count, random(seed))].sort((a, b) => a - b);
  expect(draw(7, 30)).toHaveLength(30);
  expect(draw(7, 30)).toEqual(draw(7, 30));
  expect(draw(7, 30)).not.toEqual(draw(8, 30));
  expect(draw(7, 200)).toEqual(Array.from({ length: 100 }, (_, index) => index));
});
