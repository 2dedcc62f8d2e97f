// The base of a run that no branch holds: pinned until kept work leads to it.
import { expect, it } from "vitest";
import { base, made, repository, repositoryForEachTest, runId } from "../../../../tests/support/worktree-scene.ts";
import { commitTree, createWorktree, dropBase, dropTip, pin, pinBase, pinTip, settleBases } from "./index.ts";

repositoryForEachTest();

async function pinnedBase(words: string) {
  const tree = made.git("rev-parse", "HEAD^{tree}").trim();
  const commit = await commitTree(repository, tree, [base], words);
  await pinBase(repository, commit);
  return { commit, tree };
}

const refs = (under: string) => made.git("for-each-ref", "--format=%(objectname)", under).split("\n").filter(Boolean);
const bases = () => refs("refs/thehood/base/");

it("[B-31] a base goes with its run, and the kept work still leads to it after a gc", async () => {
  const one = await pinnedBase("one\n");
  const other = await pinnedBase("other\n");
  await pin(repository, { runId, tree: one.tree, parents: [one.commit], message: "kept\n" });
  await settleBases(repository, runId, null);
  expect(bases()).toEqual([other.commit]);
  made.git("gc", "-q", "--prune=now");
  await expect(createWorktree(repository, { runId, baseCommit: one.commit })).resolves.toBeDefined();
});

it("[B-31] a base that no kept work leads to stays pinned", async () => {
  const { commit } = await pinnedBase("one\n");
  await settleBases(repository, runId, null);
  expect(bases()).toEqual([commit]);
});

it("[B-31] the base of a run that is gone is let go, and a commit that is no pinned base changes nothing", async () => {
  const { commit } = await pinnedBase("one\n");
  await dropBase(repository, base);
  expect(bases()).toEqual([commit]);
  await dropBase(repository, commit);
  expect(bases()).toEqual([]);
});

it("[B-31] the tip of a branch stays pinned until no run began on it, whatever is kept of one of them", async () => {
  const { commit, tree } = await pinnedBase("one\n");
  await dropBase(repository, commit);
  const tips = () => refs("refs/thehood/tip/");
  await pinTip(repository, commit);
  await pinTip(repository, commit);
  await pin(repository, { runId, tree, parents: [commit], message: "kept\n" });
  await settleBases(repository, runId, null);
  await dropTip(repository, commit, () => Promise.resolve(true));
  expect(tips()).toEqual([commit]);
  await dropTip(repository, commit, () => Promise.resolve(false));
  expect(tips()).toEqual([]);
});
