// A command that comes while the mover of a dead one is still at work.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { layMove } from "../../../../tests/support/half-move.ts";
import { makeRepository } from "../../../../tests/support/repository.ts";
import { requireRepository } from "../../../platform/git/index.ts";
import { kernelLock } from "../../../platform/system/index.ts";
import { stateSubfolder } from "../worktree/index.ts";
import { moverLockFile } from "./lock.ts";
import { recoverApplies } from "./recover.ts";

const files = ["a.txt", "b.txt"];

/** A checkout half way through a move, with the lock that its mover holds. */
async function scene() {
  const made = makeRepository({ "a.txt": "old", "b.txt": "old" });
  onTestFinished(made.remove);
  const repository = requireRepository(made.dir);
  const base = stateSubfolder(repository, "apply");
  layMove(made.dir, join(base, "1"), { "a.txt": "new", "b.txt": "new" }, { half: true });
  const mover = await kernelLock(moverLockFile(base), 1_000);
  const contents = () =>
    files.map((name) => join(made.dir, name)).map((file) => existsSync(file) && readFileSync(file, "utf8"));
  return { repository, mover, contents };
}

it("[R-31] leaves a move to the mover that lives", async () => {
  const { repository, mover, contents } = await scene();
  const half = contents();
  expect(half).toEqual([false, "old"]);
  expect(await recoverApplies(repository)).toEqual([]);
  expect(contents()).toEqual(half);
  mover?.release();
  expect(await recoverApplies(repository)).toMatchObject([{ ending: "done", paths: files }]);
  expect(contents()).toEqual(["new", "new"]);
});

it("[R-31] waits for the mover when it is asked to, and then finds the checkout wholly new", async () => {
  const { repository, mover, contents } = await scene();
  let isOver = false;
  const recovery = recoverApplies(repository, 60_000).finally(() => (isOver = true));
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(isOver).toBe(false);
  mover?.release();
  expect(await recovery).toMatchObject([{ ending: "done", paths: files }]);
  expect(contents()).toEqual(["new", "new"]);
});
