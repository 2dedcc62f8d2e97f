// What a person sees in `git log --all` and in gitk after runs: the person's own commits. What the runs pinned stays readable
// for every command of the product after a gc that takes away whatever no ref leads to.
import { expect, it } from "vitest";
import { added, collect, commits, good, refs, start } from "./own-commits-scene.ts";
import { openTestDesk } from "./program.ts";

it("[B-31] work that was applied, undone and committed leaves the user's commits alone in git log --all, and is read after a gc", () => {
  const desk = openTestDesk();
  const before = commits(desk);
  const { runId } = start(desk, "--approvals", "autopilot");
  expect(commits(desk)).toEqual(before);
  collect(desk);
  expect(good(desk, "diff", runId).out).toContain(added);
  good(desk, "undo", runId);
  expect(desk.repo.git("status", "--porcelain")).toBe("");
  expect(commits(desk)).toEqual(before);
  collect(desk);
  const [ref = ""] = refs(desk, `refs/thehood/keep/${runId}/`).trim().split("\n").toReversed();
  expect(desk.repo.git("diff", "HEAD", ref)).toContain(added);
  const other = start(desk, "--approvals", "autopilot");
  collect(desk);
  good(desk, "commit", other.runId);
  const own = desk.repo.git("rev-list", "HEAD", "refs/thehood/evidence").trim().split("\n");
  expect(commits(desk)).toEqual(own.toSorted());
  expect(good(desk, "log", "verify").out).not.toContain("cannot be read");
});
