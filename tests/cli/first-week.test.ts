// What somebody new meets in the first week: commands as the README writes them, and answers where there is nothing to do.
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { rememberRepository } from "../../src/runtime/runs/repositories/index.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { fixing, openTestDesk } from "./program.ts";

it("report --html without a file writes RUN.html, and a named file as named", () => {
  const desk = openTestDesk();
  desk.thehood([
    ...["run", "fix it", "--team", "stub", "--stub-script", JSON.stringify(fixing)],
    ...["--approvals", "autopilot", "-q"],
  ]);
  const { runId } = desk.thehood(["report", "--html", "--json"]).json<{ runId: string }>();
  expect(readFileSync(join(desk.repo.dir, `${runId}.html`), "utf8")).toContain("<html");
  expect(desk.thehood(["report", "--html", "mine.html"]).code).toBe(0);
  expect(existsSync(join(desk.repo.dir, "mine.html"))).toBe(true);
});

it("checks test answers where there is nothing to test, with a code other than 0", () => {
  const desk = openTestDesk({ "README.md": "hi\n" });
  const ran = desk.thehood(["checks", "test"]);
  expect(ran.code).not.toBe(0);
  expect(ran.err).toContain("thehood checks add");
});

it("checks test finds a check by the name that the user gave it", () => {
  const desk = openTestDesk();
  expect(desk.thehood(["checks", "add", "unit", "--", "node", "--version"]).code).toBe(0);
  for (const name of ["unit", "repo:unit"]) {
    const ran = desk.thehood(["checks", "test", name, "--json"]);
    expect(ran.code).toBe(0);
    expect(ran.json<{ checks: { id: string }[] }>().checks.map(({ id }) => id)).toEqual(["repo:unit"]);
  }
  const other = desk.thehood(["checks", "test", "units"]);
  expect(other.err).toContain('There is no check "units"');
});

it("a home that cannot be written loses only the memory of the repository", () => {
  const folder = tempFolder();
  mkdirSync(join(folder, "in"));
  writeFileSync(join(folder, "in", "file"), "");
  expect(() => rememberRepository(join(folder, "in", "file"), "/x")).not.toThrow();
  // As on a disk that is mounted read-only, the error of the folder is ENOENT here.
  symlinkSync(join(folder, "no", "such"), join(folder, "link"));
  expect(() => rememberRepository(join(folder, "link", "state"), "/x")).not.toThrow();
});
