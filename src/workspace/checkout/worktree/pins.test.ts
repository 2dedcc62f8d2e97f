// Refs that keep work alive, as the user's `git log --all`, a gc, a killed process and a hostile repository meet them.
import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { plainGit } from "../../../../tests/support/repository.ts";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";
import { requireRepository } from "../../../platform/git/index.ts";
import { bringBackCommit } from "./held-commits.ts";
import {
  baseTreeOf,
  brokenPins,
  commitTree,
  createWorktree,
  dropPinned,
  listPinned,
  pin,
  pinBase,
  pinnedRefs,
  pinSeenTrees,
  releaseUnneeded,
  settleBases,
} from "./index.ts";

const runId = "run_abc12345";
const keep = `refs/thehood/keep/${runId}`;
const held = `refs/thehood/commit/${runId}`;

function scene(format = "sha1") {
  const dir = tempFolder("pins-");
  plainGit(dir, "init", "-q", "-b", "main", `--object-format=${format}`);
  writeFileSync(join(dir, "a.txt"), "one\n");
  plainGit(dir, "add", "-A");
  plainGit(dir, "commit", "-q", "-m", "mine");
  const git = (...args: string[]) => plainGit(dir, ...args).trim();
  const repository = requireRepository(dir);
  const base = git("rev-parse", "HEAD");
  const treeOf = (text: string) => {
    writeFileSync(join(dir, "a.txt"), text);
    git("add", "-A");
    const tree = git("write-tree");
    git("reset", "-q", "--hard");
    return tree;
  };
  const collect = () => {
    git("reflog", "expire", "--expire=now", "--expire-unreachable=now", "--all");
    git("gc", "-q", "--prune=now");
    expect(git("fsck", "--no-dangling")).toBe("");
  };
  const refs = (...under: string[]) =>
    git("for-each-ref", "--format=%(refname)", ...under)
      .split("\n")
      .filter(Boolean);
  const list = () => listPinned(repository, runId);
  return { dir, git, repository, base, treeOf, collect, refs, list };
}

it.each(["sha1", "sha256"])(
  "[B-15] work on a base of ours, with commits of a worker, is held without a commit that git shows (%s)",
  async (format) => {
    const { git, repository, base, treeOf, collect, refs, list } = scene(format);
    const [ours, first, second, work] = ["base\n", "first\n", "second\n", "work\n"].map(treeOf);
    const own = await commitTree(repository, ours ?? "", [base], "the last commit with the work of earlier runs\n");
    await pinBase(repository, own);
    const one = await commitTree(repository, first ?? "", [own], "one\n");
    const two = await commitTree(repository, second ?? "", [one, base], "two\n");
    await pin(repository, { runId, tree: work ?? "", parents: [own, two], message: "work\n" });
    await pin(repository, { runId, tree: second ?? "", parents: [own], message: "later\n" });
    collect();
    expect(git("cat-file", "-t", own)).toBe("commit");
    await settleBases(repository, runId, own);
    expect(git("log", "--all", "--format=%s")).toBe("mine");
    collect();
    expect(refs("refs/thehood/").map((ref) => ref.split("/")[2])).toEqual([
      "commit",
      "commit",
      "keep",
      "keep",
      "parent",
    ]);
    const [found, later] = await list();
    expect(found).toMatchObject({ tree: work, parents: [own, two], summary: "work", on: [base] });
    expect(later).toMatchObject({ tree: second, parents: [own], summary: "later", on: [base] });
    expect(await listPinned(repository)).toEqual([found, later]);
    expect(found && (await baseTreeOf(repository, found))).toBe(ours);
    expect(await brokenPins(repository, await pinnedRefs(repository))).toEqual([]);
    expect(git("diff", "HEAD", `${keep}/1`)).toContain("+work");
    expect(await bringBackCommit(repository, two)).toBe(true);
    expect(git("log", "--format=%s", two).split("\n").toSorted()).toEqual([
      "mine",
      "one",
      "the last commit with the work of earlier runs",
      "two",
    ]);
    // A run that goes on from it has the commit itself again, also beside a gc.
    collect();
    await createWorktree(repository, { runId, baseCommit: own });
    git("gc", "-q", "--prune=now");
    expect(git("rev-parse", `${own}^`)).toBe(base);
  },
);

it("[B-15] a base without kept work is held when its run ends, and a commit of the user stays while anything stands on it", async () => {
  const { git, repository, base, treeOf, collect, refs } = scene();
  const tree = treeOf("base\n");
  const own = await commitTree(repository, tree, [base], "ours\n");
  await pinBase(repository, own);
  await settleBases(repository, runId, own);
  git("commit", "-q", "--amend", "-m", "rebased");
  collect();
  expect(git("show", `refs/thehood/base/${own}:${own}.files/a.txt`)).toBe("base");
  await releaseUnneeded(repository);
  expect(refs("refs/thehood/parent/")).toEqual([`refs/thehood/parent/${base}`]);
  await createWorktree(repository, { runId, baseCommit: own });
  expect(git("rev-parse", `refs/thehood/base/${own}^`)).toBe(base);
});

it.each([
  ["the user's commit alone", ["parent"]],
  ["the commit without the name of the work", ["parent", "commit"]],
])("[B-15] a pin of which a killed git wrote %s is made again under the same name", async (_, kinds) => {
  const { git, repository, base, treeOf, collect, refs, list } = scene();
  const request = { runId, tree: treeOf("work\n"), parents: [base], message: "work\n" };
  await pin(repository, request);
  for (const ref of refs("refs/thehood/")) if (!kinds.includes(ref.split("/")[2] ?? "")) git("update-ref", "-d", ref);
  expect(await list()).toEqual([]);
  const again = await pin(repository, { ...request, tree: treeOf("other\n") });
  expect(again.ref).toBe(`${keep}/1`);
  collect();
  expect(await list()).toMatchObject([{ tree: again.tree, parents: [base], summary: "work" }]);
});

it("[B-15] work that several processes pin at once, beside one that lets go, is all kept", async () => {
  const { repository, base, treeOf, collect, refs, list } = scene();
  const trees = Array.from({ length: 6 }, (_, index) => treeOf(`work ${index}\n`));
  const first = await pin(repository, { runId, tree: trees[0] ?? "", parents: [base], message: "work\n" });
  const done = await Promise.all([
    ...trees.slice(1).map((tree) => pin(repository, { runId, tree, parents: [base], message: "work\n" })),
    dropPinned(repository, first).then(() => releaseUnneeded(repository)),
  ]);
  expect(done).toHaveLength(6);
  collect();
  expect((await list()).map(({ tree }) => tree).toSorted()).toEqual(trees.slice(1).toSorted());
  expect(refs("refs/thehood/parent/")).toEqual([`refs/thehood/parent/${base}`]);
  for (const work of await list()) await dropPinned(repository, work);
  await releaseUnneeded(repository);
  expect(refs("refs/thehood/")).toEqual([]);
});

it("[B-15] work that an earlier version pinned as a commit is listed, found again, read and dropped", async () => {
  const { git, repository, base, treeOf, list } = scene();
  const tree = treeOf("work\n");
  const commit = await commitTree(repository, tree, [base], "run: work\n");
  git("update-ref", `${keep}/1`, commit);
  expect(await list()).toMatchObject([{ tree, commit, object: commit, parents: [base], summary: "run: work" }]);
  expect(await listPinned(repository)).toEqual(await list());
  expect(await pin(repository, { runId, tree, parents: [base], message: "x\n" })).toMatchObject({ ref: `${keep}/1` });
  const seen = `refs/thehood/seen/${runId}`;
  git("update-ref", seen, await commitTree(repository, tree, [], "a tree of the checkout\n"));
  await pinSeenTrees(repository, runId, [treeOf("two\n")], base);
  expect(git("ls-tree", "--name-only", seen).split("\n").toSorted()).toEqual([tree, treeOf("two\n")].toSorted());
  const next = await pin(repository, { runId, tree: treeOf("two\n"), parents: [commit], message: "x\n" });
  expect(next.ref).toBe(`${keep}/2`);
  expect(await brokenPins(repository, await pinnedRefs(repository))).toEqual([]);
  for (const work of await list()) await dropPinned(repository, work);
  expect(await list()).toEqual([]);
});

it.each([
  ["a commit", ({ base }: ReturnType<typeof scene>) => base],
  ["a file", ({ git }: ReturnType<typeof scene>) => git("rev-parse", "HEAD:a.txt")],
  ["other files", ({ git }: ReturnType<typeof scene>) => git("rev-parse", "HEAD^{tree}")],
])("[B-15] where somebody has put %s in place of what holds the commit, the work is still there", async (_, place) => {
  const at = scene();
  const { git, repository, base, treeOf, collect, list } = at;
  const request = { runId, tree: treeOf("work\n"), parents: [base], message: "work\n" };
  await pin(repository, request);
  git("update-ref", `${held}/1`, place(at));
  expect(await list()).toMatchObject([{ ref: `${keep}/1`, tree: request.tree, parents: [] }]);
  await releaseUnneeded(repository);
  expect(await pin(repository, request)).toMatchObject({ ref: `${keep}/2`, tree: request.tree });
  collect();
  expect(git("show", `${keep}/1:a.txt`)).toBe("work");
});

it("[B-15] what a person drops with git alone is let go later, and never while another process may be writing it", async () => {
  const { dir, git, repository, base, treeOf, refs } = scene();
  await pin(repository, { runId, tree: treeOf("work\n"), parents: [base], message: "work\n" });
  git("update-ref", "-d", `${keep}/1`);
  await releaseUnneeded(repository);
  expect(refs("refs/thehood/")).toEqual([`${held}/1`, `refs/thehood/parent/${base}`]);
  utimesSync(join(dir, ".git", held, "1"), 1_000, 1_000);
  await releaseUnneeded(repository);
  expect(refs("refs/thehood/")).toEqual([]);
});
