// A run that began on uncommitted work of an earlier one pins its base. The pin goes when the run is deleted.
import { expect, it } from "vitest";
import { fixing, openTestDesk, stub } from "./program.ts";

it("[B-31] the base of a run that was ended without work stays readable until the run is deleted", () => {
  const desk = openTestDesk();
  const start = (...words: string[]) =>
    desk.thehood(["run", "fix add", "--team", "stub", "--json", ...words, ...stub(fixing)]).json<{ runId: string }>();
  const bases = () => desk.repo.git("for-each-ref", "--format=%(refname)", "refs/thehood/base/").trim();
  start("--approvals", "autopilot");
  expect(desk.repo.git("status", "--porcelain").trim()).toBe("M src/add.js");
  const { runId } = start();
  expect(desk.thehood(["abort", runId]).code).toBe(0);
  expect(bases()).toMatch(/^refs\/thehood\/base\/[0-9a-f]{40}$/);
  expect(desk.thehood(["runs", "delete", runId]).code).toBe(0);
  expect(bases()).toBe("");
  expect(desk.thehood(["log", "verify"]).code).toBe(0);
});
