import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tempFolder } from "../../tests/support/temp-folder.ts";
import { base, made, put, repository, repositoryForEachTest, runId } from "../../tests/support/worktree-scene.ts";
import { plainGit } from "../../tests/support/repository.ts";
import { requireRepository } from "../platform/git/index.ts";
import { bringBackCommit } from "../workspace/checkout/worktree/held-commits.ts";
import {
  captureChanges,
  commitTree,
  createWorktree,
  listPinned,
  pinCapture,
} from "../workspace/checkout/worktree/index.ts";
import { makeHome, packPinned, withoutKeys } from "./home.ts";

repositoryForEachTest();

it.each([
  ["https://me:a-token@example.com/team/app.git", "https://example.com/team/app.git"],
  ["https://a-token@example.com/team/app.git", "https://example.com/team/app.git"],
  ["ssh://git:a-token@example.com/team/app.git", "ssh://git@example.com/team/app.git"],
  ["git@example.com:team/app.git", "git@example.com:team/app.git"],
  ["/srv/git/app.git", "/srv/git/app.git"],
])("[B-22] the store gets the address %s without its keys", (address, kept) => {
  expect(withoutKeys(address)).toBe(kept);
  expect(withoutKeys(address)).not.toContain("a-token");
});

const homeWith = (from: string, luggage: readonly Uint8Array[]) =>
  makeHome(
    { cacheDir: tempFolder("cache-"), network: { env: {}, config: [] } },
    { runId, url: made.dir, base: from, luggage },
  );

it("[B-22] kept work goes to another machine with the commits of its worker, and without the files that are there already", async () => {
  // No compression makes it smaller.
  writeFileSync(join(made.dir, "large.bin"), randomBytes(100_000));
  made.git("add", "-A");
  made.git("commit", "-qm", "large");
  const from = made.git("rev-parse", "HEAD").trim();
  const worktree = await createWorktree(repository, { runId, baseCommit: from });
  put(worktree, "a.txt", "committed\n");
  plainGit(worktree.path, "commit", "-qam", "work");
  const head = plainGit(worktree.path, "rev-parse", "HEAD").trim();
  put(worktree, "b.txt", "untracked\n");
  expect(await packPinned(repository, runId, from)).toBeUndefined();
  await pinCapture(worktree, await captureChanges(worktree));
  const bytes = (await packPinned(repository, runId, from)) ?? new Uint8Array();
  const home = await homeWith(from, [bytes]);
  const there = requireRepository(home);
  expect(await listPinned(there, runId)).toEqual(await listPinned(repository, runId));
  expect(plainGit(home, "show", `refs/thehood/keep/${runId}/1:b.txt`)).toBe("untracked\n");
  expect(await bringBackCommit(there, head)).toBe(true);
  expect(plainGit(home, "show", `${head}:a.txt`)).toBe("committed\n");
  expect(bytes.length).toBeLessThan(4_000);
  expect(plainGit(home, "fsck", "--no-dangling")).toBe("");
});

it("[B-22] what a worker of an earlier version packed is unpacked", async () => {
  const tree = made.git("rev-parse", "HEAD:src").trim();
  const commit = await commitTree(repository, tree, [base], "run: work\n");
  made.git("update-ref", `refs/thehood/keep/${runId}/1`, commit);
  const bytes = (await packPinned(repository, runId, base)) ?? new Uint8Array();
  const home = await homeWith(base, [bytes]);
  expect(await listPinned(requireRepository(home), runId)).toMatchObject([{ commit, tree, parents: [base] }]);
});
