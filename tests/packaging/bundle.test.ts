// The bundle puts the modules of a quick start together by their paths. The build fails where a path matches no module.
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { groupedModules, stalePatterns } from "../../scripts/build/bundle.ts";

const root = resolve(import.meta.dirname, "../..");
const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).map((path) => `/clone/src/${path}`);

it.each(Object.entries(groupedModules))("every module of the group %s exists", (name, patterns) => {
  const own = patterns.filter((pattern) => pattern.startsWith("src/"));
  expect(own.length).toBeGreaterThan(0);
  expect(stalePatterns(files, { [name]: own })).toEqual([]);
});

it("a pattern that matches no module is named with its group, also where another alternative of it matches", () => {
  const modules = ["/clone/src/app/version.ts", "\0builtin:process"];
  expect(stalePatterns(modules, { base: ["src/app/(version|renamed).ts"], start: ["builtin:process"] })).toEqual([
    "base: src/app/(renamed).ts",
  ]);
});
