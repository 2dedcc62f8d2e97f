// What somebody new meets in the first week: commands as the README writes them, and answers where there is nothing to do.
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { rememberRepository } from "../../src/runtime/runs/repositories/index.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { fixing, openTestDesk } from "./program.ts";

it("report --html without a file writes RUN.html, and a named file as named", () => {
  const desk = openTestDesk();
  const script = ["--stub-script", JSON.stringify(fixing)];
  desk.thehood(["run", "fix it", "--team", "stub", ...script, "--approvals", "autopilot", "-q"]);
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

it("status shows the run that needs the user first, and a completed branch run is named as committed", () => {
  const desk = openTestDesk();
  desk.thehood(["run", "this one waits", "--team", "stub", "-q"]);
  const script = ["--team", "stub", "--stub-script", JSON.stringify(fixing)];
  desk.thehood(["run", "ended later", ...script, "--approvals", "autopilot", "--branch", "feat", "-q"]);
  const newest = desk.thehood(["status", "--limit", "1", "--json"]).json<{ runs: { runId: string; goal: string }[] }>();
  expect(newest.runs.map(({ goal }) => goal)).toEqual(["ended later"]);
  for (const limit of ["1", "20"]) {
    const { out } = desk.thehood(["status", "--limit", limit]);
    expect(out.indexOf("this one waits")).toBeGreaterThan(-1);
    expect(out.indexOf("ended later")).toBeGreaterThan(out.indexOf("this one waits"));
  }
  const runId = newest.runs[0]?.runId ?? "";
  const commit = desk.repo.git("rev-parse", "feat").trim().slice(0, 12);
  const again = desk.thehood(["continue", runId]);
  expect(again.out + again.err).toContain(`committed already: on feat as ${commit}`);
  expect(again.out + again.err).not.toContain("not committed");
  const asked = desk.thehood(["commit", runId]);
  expect(asked.code).not.toBe(0);
  expect(asked.err).toContain(`committed already: on feat as ${commit}`);
  desk.repo.git("branch", "-m", "feat", "mine");
  desk.repo.git("branch", "feat");
  expect(desk.thehood(["commit", runId]).err).toContain("There is a branch feat already");
});

it("[B-32] the approval of a result puts it on a new branch, and pushes it for a pull request, without a change of the checkout", () => {
  const desk = openTestDesk();
  const remote = tempFolder();
  desk.repo.git("init", "--bare", "--quiet", remote);
  desk.repo.git("remote", "add", "origin", remote);
  desk.thehood(["run", "fix it", "--team", "stub", "--stub-script", JSON.stringify(fixing), "-q"]);
  const early = desk.thehood(["approve", "-m", "start", "--branch", "fix/add"]);
  expect(early.err).toContain("A branch is named with the approval of a result");
  const { gate } = desk.thehood(["status", "--json"]).json<{ gate?: { phrase: string | null } }>();
  desk.thehood(["approve", "-m", gate?.phrase ?? "", "-q"]);
  const phrase = ["-m", "apply isolated patch"];
  expect(desk.thehood(["approve", ...phrase, "--branch", "main"]).err).toContain("main is a branch already");
  expect(desk.thehood(["approve", ...phrase, "--pr"]).err).toContain("A pull request needs a branch");
  const done = desk.thehood(["approve", ...phrase, "--branch", "fix/add", "--pr"]);
  expect(done.err).toMatch(/committed as [0-9a-f]{12}/);
  expect(`${done.out}${done.err}`).not.toContain("thehood undo");
  expect(desk.repo.git("status", "--porcelain").trim()).toBe("");
  expect(desk.repo.git("show", "fix/add:src/add.js")).toContain("a + b");
  expect(desk.repo.git("show", "HEAD:src/add.js")).toContain("a - b");
  expect(desk.repo.git("ls-remote", remote, "refs/heads/fix/add")).toContain(
    desk.repo.git("rev-parse", "fix/add").trim(),
  );
  expect(desk.thehood(["undo"]).code).not.toBe(0);
});
