import { existsSync } from "node:fs";
import { afterAll, beforeEach, expect, it } from "vitest";
import { tempFolder } from "./temp-folder.ts";

const ofFile = tempFolder();
let ofHook = "";
const ofTests: string[] = [];
beforeEach(() => {
  ofHook = tempFolder("hook-");
});
afterAll(() => {
  expect(ofTests).toHaveLength(2);
  for (const folder of ofTests) expect(existsSync(folder)).toBe(false);
});

it.each([1, 2])("a folder lives as long as the test that made it (%s)", () => {
  for (const folder of ofTests) expect(existsSync(folder)).toBe(false);
  ofTests.push(ofHook);
  expect(existsSync(ofFile)).toBe(true);
  expect(existsSync(ofHook)).toBe(true);
});
