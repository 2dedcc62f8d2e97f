import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { plainGit } from "../../../tests/support/repository.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { requireRepository, writeEmptyTree, writeEmptyTreeSync } from "./index.ts";

it("the tree without files is written, and read back by git, in a repository without a commit", async () => {
  const dir = tempFolder("empty-tree-");
  plainGit(dir, "init", "-q");
  const id = writeEmptyTreeSync(requireRepository(dir));
  expect(await writeEmptyTree(requireRepository(dir))).toBe(id);
  expect(plainGit(dir, "cat-file", "-t", id).trim()).toBe("tree");
  expect(spawnSync("git", ["fsck", "--full", "--strict"], { cwd: dir }).status).toBe(0);
});
