// The bundle puts the modules of a quick start together by their paths: each path it names is a file that exists.
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { groupedModules } from "../../scripts/build/bundle.ts";

const root = resolve(import.meta.dirname, "../..");
const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).map(
  (path) => `src/${path}`,
);

/** "a/(b|c).ts" → "a/(b).ts", "a/(c).ts": the pattern once for each word of each choice, with the others left open. */
function eachWord(pattern: string): string[] {
  const choices = [...pattern.matchAll(/\(([^)]*)\)/g)];
  if (choices.length === 0) return [pattern];
  return choices.flatMap(({ index, 0: all, 1: words = "" }) =>
    words.split("|").map((word) => `${pattern.slice(0, index)}(${word})${pattern.slice(index + all.length)}`),
  );
}

const isThere = (pattern: string) => {
  const whole = new RegExp(`^${pattern.replaceAll(".ts", "\\.ts")}$`);
  return files.some((file) => whole.test(file));
};

it.each(Object.entries(groupedModules))("every module of the group %s exists", (_, patterns) => {
  const paths = patterns.filter((pattern) => pattern.startsWith("src/")).flatMap(eachWord);
  expect(paths.length).toBeGreaterThan(0);
  expect(paths.filter((path) => !isThere(path))).toEqual([]);
});
