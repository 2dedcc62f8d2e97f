// The bundle puts the modules of a quick start together by their paths: each path it names is a file that exists.
import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { groupedModules } from "../../scripts/build/bundle.ts";

const root = resolve(import.meta.dirname, "../..");

/** "a/(b|c).ts" → "a/b.ts", "a/c.ts"; a path ends with "*" where it means all files of a folder. */
function pathsOf(pattern: string): string[] {
  const [, before = "", choices = "", after = ""] = /^(.*?)\(([^)]*)\)(.*)$/.exec(pattern) ?? [];
  if (choices === "") return [pattern.replace(".*.ts", "*")];
  return choices.split("|").flatMap((choice) => pathsOf(before + choice + after));
}

const isThere = (path: string) =>
  path.endsWith("*")
    ? readdirSync(join(root, path.slice(0, -1))).some((name) => name.endsWith(".ts"))
    : existsSync(join(root, path));

it.each(Object.entries(groupedModules))("every module of the group %s exists", (_, patterns) => {
  const paths = patterns.flatMap(pathsOf).filter((path) => !path.startsWith("builtin:"));
  expect(paths.filter((path) => !isThere(path))).toEqual([]);
});
