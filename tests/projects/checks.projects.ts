// Checks of real projects under us and by themselves. `npm run test:projects` fetches the projects.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeRepository } from "../support/repository.ts";
import { compare } from "./compare.ts";
import list from "./list.json" with { type: "json" };
import { own } from "./own.ts";

const folder = process.env["THEHOOD_PROJECTS_DIR"] ?? "";
const has = (program: string, ...words: string[]) => spawnSync(program, words).status === 0;

function expectTheSame(dir: string) {
  const { alone, lines, ...ours } = compare(dir);
  expect(Object.keys(alone).length).toBeGreaterThan(0);
  expect(ours).toEqual({ tested: alone, before: alone, after: alone });
  return { alone, lines };
}

describe("[B-10] a check gives the same result under us as by itself", () => {
  for (const project of list) {
    const source = project.package ?? project.archive;
    const there = folder !== "" && existsSync(join(folder, project.name));
    const title = `${project.name} (${source})`;
    it.skipIf(!there)(there ? title : `${title} (skipped: it is not in the folder of the projects)`, () => {
      expectTheSame(join(folder, project.name));
    });
  }

  for (const { name, needs, files, failing, failure } of own) {
    const missing = needs.find(([program, ...words]) => !has(program, ...words));
    const without = missing ? ` (skipped: ${missing.join(" ")} does not work here)` : "";
    it.skipIf(missing)(`a ${name} project of our own, green${without}`, () => {
      const repository = makeRepository(files);
      onTestFinished(() => repository.remove());
      expect(new Set(Object.values(expectTheSame(repository.dir).alone))).toEqual(new Set(["passed"]));
    });
    it.skipIf(missing)(`a ${name} project of our own, red, with the failure named${without}`, () => {
      const repository = makeRepository({ ...files, ...failing });
      onTestFinished(() => repository.remove());
      const { alone, lines } = expectTheSame(repository.dir);
      expect(Object.values(alone)).toContain("failed");
      expect(lines).toMatch(failure);
    });
  }
});
