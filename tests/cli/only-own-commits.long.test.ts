// The same after runs that were rejected, ended, and begun on uncommitted work; and when the user has rebased the base away.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { added, answer, collect, commits, good, refs, start } from "./own-commits-scene.ts";
import { openTestDesk, stub } from "./program.ts";

it("[B-31] work that was rejected stays readable, and nothing of it stays once it is dropped", () => {
  const desk = openTestDesk();
  const before = commits(desk);
  const { runId } = start(desk);
  answer(desk, runId);
  good(desk, "reject", runId);
  expect(commits(desk)).toEqual(before);
  collect(desk);
  expect(good(desk, "diff", runId).out).toContain(added);
  expect(good(desk, "prune").out).toContain(`refs/thehood/keep/${runId}/1`);
  good(desk, "prune", "--drop", "all");
  expect(refs(desk, "refs/thehood/keep", "refs/thehood/commit", "refs/thehood/parent")).toBe("");
  good(desk, "log", "verify");
});

it("[B-31] the user's base stays readable when the user has rebased it away", () => {
  const desk = openTestDesk();
  desk.repo.git("commit", "-q", "--allow-empty", "-m", "one more");
  const base = desk.repo.git("rev-parse", "HEAD").trim();
  const { runId } = start(desk);
  answer(desk, runId);
  good(desk, "abort", runId);
  desk.repo.git("reset", "-q", "--hard", "HEAD~1");
  collect(desk);
  expect(desk.repo.git("cat-file", "-t", base)).toBe("commit\n");
  expect(good(desk, "diff", runId).out).toContain(added);
  expect(good(desk, "log", "verify").out).not.toContain("cannot be read");
  good(desk, "prune", "--drop", "all");
  expect(commits(desk)).not.toContain(base);
});

it("[B-31] a run on uncommitted work of an earlier one goes on after a gc at each question, and leaves no commit", () => {
  const desk = openTestDesk();
  const before = commits(desk);
  start(desk, "--approvals", "autopilot");
  writeFileSync(join(desk.repo.dir, "README.md"), "# Sample, edited\n");
  const edits = stub({
    roles: {
      implementer: [
        { edits: [{ op: "write", path: "more.js", text: "export {};\n" }], payload: { changedFiles: ["more.js"] } },
      ],
    },
  });
  const ran = desk.thehood(["run", "add more", "--team", "stub", "--json", ...edits]);
  const { runId } = ran.json<{ runId: string }>();
  expect(refs(desk, "refs/thehood/base/")).not.toBe("");
  for (let asked = 0; asked < 2; asked += 1) {
    collect(desk);
    answer(desk, runId);
  }
  expect(commits(desk)).toEqual(before);
  collect(desk);
  expect(good(desk, "diff", runId).out).toContain("more.js");
  good(desk, "undo", runId);
  expect(commits(desk)).toEqual(before);
});

it("[B-31] a run on uncommitted work that is ended before it began leaves no commit, and its base is held", () => {
  const desk = openTestDesk();
  const before = commits(desk);
  start(desk, "--approvals", "autopilot");
  const { runId } = start(desk);
  const [ref = ""] = refs(desk, "refs/thehood/base/").trim().split("\n");
  good(desk, "abort", runId);
  expect(commits(desk)).toEqual(before);
  collect(desk);
  const base = ref.split("/").at(-1) ?? "";
  expect(desk.repo.git("show", `${ref}:${base}.files/src/add.js`)).toContain("a + b");
  good(desk, "runs", "delete", runId);
  expect(refs(desk, "refs/thehood/base/")).toBe("");
});
