// An agent that is asked about a run that is over reads a worktree of its own, which is gone afterwards.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fixing, openTestDesk, stub } from "./program.ts";

it("[B-31] summon on a run that is over leaves no worktree and no ref behind, however often it is asked", () => {
  const desk = openTestDesk();
  const words = ["run", "fix add", "--team", "stub", "--approvals", "autopilot", "--json", ...stub(fixing)];
  const { runId } = desk.thehood(words).json<{ runId: string }>();
  const places = join(desk.repo.dir, ".thehood-work");
  const left = () => ({
    worktrees: desk.repo.git("worktree", "list").trim().split("\n").length,
    refs: desk.repo.git("for-each-ref", "--format=%(refname)").trim().split("\n"),
    places: existsSync(places) ? readdirSync(places) : [],
  });
  const before = left();
  expect(before.worktrees).toBe(1);
  for (const brief of ["look", "look again"])
    expect(desk.thehood(["summon", runId, "--role", "critic", "--brief", brief]).code).toBe(0);
  expect({ ...left(), places: [] }).toEqual({ ...before, places: [] });
  expect(left().places).toEqual([]);
});
