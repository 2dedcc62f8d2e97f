import { lutimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { plainGit } from "../../../../tests/support/repository.ts";
import {
  base,
  made,
  put,
  repository,
  repositoryForEachTest,
  runId,
  start,
} from "../../../../tests/support/worktree-scene.ts";
import { bringBackCommit } from "./held-commits.ts";
import { captureChanges, listPinned, removeWorktree, takeOutStashes } from "./index.ts";

repositoryForEachTest();

const stashes = () => made.git("stash", "list").trim();
const change = (text: string) => writeFileSync(join(made.dir, "a.txt"), text);

describe("[R-31] git stash in a worktree", () => {
  it("stashes of the worker are kept with the run's work and leave the user's list, where the user's own stay", async () => {
    change("mine before\n");
    made.git("stash", "push", "-q", "-m", "mine before");
    const worktree = await start();
    put(worktree, "a.txt", "set aside\n");
    plainGit(worktree.path, "stash", "-q");
    change("mine meanwhile\n");
    made.git("stash", "push", "-q", "-m", "mine meanwhile");
    put(worktree, "a.txt", "set aside too\n");
    plainGit(worktree.path, "stash", "push", "-q", "-m", "a few words");
    const made4 = stashes().split("\n");
    expect(made4).toHaveLength(4);

    const { kept } = await removeWorktree(worktree);
    expect(stashes()).toBe("stash@{0}: On main: mine meanwhile\nstash@{1}: On main: mine before");
    expect(made.git("show", "stash@{0}:a.txt")).toBe("mine meanwhile\n");
    made.git("reflog", "expire", "--expire=now", "--all", "--expire-unreachable=now");
    made.git("gc", "-q", "--prune=now");
    const [, one = "", other = ""] = (await listPinned(repository, runId))[0]?.parents ?? [];
    const held = kept?.ref.replace("/keep/", "/commit/");
    expect(made.git("show", `${held}:${one}.files/a.txt`)).toBe("set aside\n");
    expect(made.git("show", `${held}:${other}.files/a.txt`)).toBe("set aside too\n");
    // It can be applied as a stash again.
    expect(await bringBackCommit(repository, one)).toBe(true);
    made.git("checkout", "-q", "--force", base);
    made.git("stash", "apply", "-q", one);
    expect(made.git("show", ":a.txt")).toBe("one\n");
    expect(made.git("diff", "--name-only")).toBe("a.txt\n");
  });

  it("the only stash goes with its list", async () => {
    const worktree = await start();
    put(worktree, "a.txt", "set aside\n");
    plainGit(worktree.path, "stash", "-q");
    const { stashes: found } = await captureChanges(worktree);
    expect(found).toEqual([made.git("rev-parse", "refs/stash").trim()]);
    await takeOutStashes(repository, found);
    expect(made.git("for-each-ref", "refs/stash")).toBe("");
  });

  it("a stash on a branch of the worker's own is the worker's", async () => {
    const worktree = await start();
    plainGit(worktree.path, "checkout", "-q", "-b", "feature/own");
    put(worktree, "a.txt", "set aside\n");
    plainGit(worktree.path, "stash", "-q");
    await removeWorktree(worktree);
    expect(stashes()).toBe("");
    expect(await listPinned(repository, runId)).toHaveLength(1);
  });

  it("a stash that may be the user's stays: the checkout is on no branch either, or it is older, or on another commit", async () => {
    const older = await start();
    put(older, "a.txt", "older\n");
    plainGit(older.path, "stash", "-q");
    const later = new Date(Date.now() + 3_600_000);
    lutimesSync(join(made.dir, ".git/thehood/worktrees", runId, "work"), later, later);
    expect((await captureChanges(older)).stashes).toEqual([]);

    const now = new Date(0);
    lutimesSync(join(made.dir, ".git/thehood/worktrees", runId, "work"), now, now);
    expect((await captureChanges(older)).stashes).toHaveLength(1);
    made.git("checkout", "-q", "--detach");
    expect((await captureChanges(older)).stashes).toEqual([]);

    change("elsewhere\n");
    made.git("commit", "-qam", "elsewhere");
    change("mine\n");
    made.git("stash", "-q");
    made.git("checkout", "-q", "main");
    const found = (await captureChanges(older)).stashes;
    expect(found).toHaveLength(1);
    expect(made.git("rev-parse", `${found[0]}^1`).trim()).toBe(base);
  });
});
