// What is known is not asked of git again: each start of it costs more than the rest of such a step.
import { utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { gitCalls } from "../../../../tests/support/git-calls.ts";
import { makeRepository } from "../../../../tests/support/repository.ts";
import { afterwards } from "../../../../tests/support/temp-folder.ts";
import { requireRepository } from "../../../platform/git/index.ts";
import { checkoutTree, createReading, treeOf } from "./index.ts";

function scene() {
  const made = makeRepository({ "a.txt": "one\n" });
  afterwards(() => made.remove());
  return { made, repository: requireRepository(made.dir) };
}

it("the tree of a checkout is written again only where a file is new", async () => {
  const { made, repository } = scene();
  made.write("a.txt", "two\n");
  // git reads a file again that is as young as the index.
  utimesSync(join(made.dir, "a.txt"), 1_700_000_000, 1_700_000_000);
  const trees: { tree: string; whole: string }[] = [];
  const look = async () => trees.push(await checkoutTree(repository, []));
  expect(await gitCalls(look)).toEqual(["ls-files", "update-index", "write-tree", "ls-files"]);
  made.write("b.txt", "new\n");
  expect((await gitCalls(look)).filter((name) => name === "write-tree")).toHaveLength(2);
  const [edited, added] = trees;
  expect(edited?.whole).toBe(edited?.tree);
  expect(added?.tree).toBe(edited?.tree);
  expect(made.git("ls-tree", "--name-only", added?.whole ?? "")).toBe("a.txt\nb.txt\n");
});

it("the first folder for a reviewer starts two gits, and the same folder again starts none", async () => {
  const { repository } = scene();
  const tree = await treeOf(repository, "HEAD");
  const make = async () => {
    const reading = await createReading(repository, "run_calls0001", { tree });
    expect(reading.baseTree).toBe(tree);
  };
  expect(await gitCalls(make)).toEqual(["commit-tree", "worktree"]);
  expect(await gitCalls(make)).toEqual([]);
});
