// The folders for reviewers end with the run, wherever a crash stopped the making or the removal of one.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { makeRepository } from "../../../../tests/support/repository.ts";
import { afterwards } from "../../../../tests/support/temp-folder.ts";
import { requireRepository } from "../../../platform/git/index.ts";
import { recordLocation } from "./record.ts";
import { createReading, retireReadings, retireWorktree, treeOf } from "./index.ts";

const runId = "run_readings0001";

async function scene() {
  const made = makeRepository({ "a.txt": "one\n" });
  afterwards(() => made.remove());
  const repository = requireRepository(made.dir);
  const { name } = await createReading(repository, runId, { tree: await treeOf(repository, "HEAD"), callId: "call_1" });
  const worktrees = () => made.git("worktree", "list", "--porcelain").match(/^worktree /gm)?.length;
  return { made, repository, worktrees, location: recordLocation(repository, runId, name) };
}

type Scene = Awaited<ReturnType<typeof scene>>;

const crashes: readonly (readonly [string, (at: Scene) => void])[] = [
  ["after the folder was made and before it was shown", ({ location }) => rmSync(location.shown)],
  [
    "while the folder was made",
    ({ location }) => {
      rmSync(location.shown);
      const record = JSON.parse(readFileSync(location.recordFile, "utf8")) as object;
      writeFileSync(location.recordFile, JSON.stringify({ ...record, making: true, adminDir: "", inode: 0 }));
    },
  ],
  [
    "while the notes of a removed folder were taken away",
    ({ location, made }) => {
      made.git("worktree", "remove", "--force", location.path);
      rmSync(location.shown, { force: true });
    },
  ],
];

it.each(crashes)("[S-6] a reviewer's folder goes away with the run when a process died %s", async (_, crash) => {
  const at = await scene();
  crash(at);
  await retireReadings(at.repository, runId);
  await retireWorktree(at.repository, runId);
  expect(at.worktrees()).toBe(1);
  expect(existsSync(at.location.path)).toBe(false);
  expect(existsSync(at.location.folder)).toBe(false);
});
