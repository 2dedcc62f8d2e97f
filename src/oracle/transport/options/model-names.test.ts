// Names of models as people write them, and lists of files in one word.
import { expect, it } from "vitest";
import { splitList } from "../files/patterns.ts";
import { modelName } from "./model-names.ts";
import { durationMs } from "./time-span.ts";

it.each([
  ["  gpt-5.4-pro  ", "gpt-5.4-pro"],
  ["Claude Opus 4.1", "claude-opus-4-1"],
  ["claude-4.6-sonnet", "claude-sonnet-4-6"],
  ["Gemini 3.5 Flash", "gemini-3.5-flash"],
  ["sonnet", "claude-sonnet-4-6"],
  ["grok", "grok-4"],
  ["z-ai/glm-5", "z-ai/glm-5"],
  ["my model", "my model"],
  ["GPT-5.5", "GPT-5.5"],
])("%j is %s", (given, name) => {
  expect(modelName(given)).toBe(name);
});

it("a list is divided at commas outside of braces", () => {
  expect(splitList("src/**/*.{ts,tsx}, !src/gen ,docs")).toEqual(["src/**/*.{ts,tsx}", "!src/gen", "docs"]);
});

it("a time span may have several parts with units", () => {
  expect(durationMs("1h30m", "--timeout")).toBe(5_400_000);
  expect(durationMs("90", "--timeout")).toBe(90_000);
  for (const bad of ["1h30", "h", "1x", "1h 30m", ""]) expect(() => durationMs(bad, "--timeout")).toThrow(/time span/);
});
