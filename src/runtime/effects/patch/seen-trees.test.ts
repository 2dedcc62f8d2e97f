// The trees of the checkout that the log names outlive a `git gc --prune=now` of the user.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { makeRepository } from "../../../../tests/support/repository.ts";
import { perform } from "../../../../tests/support/effect-scene.ts";
import { requireRepository, withGcPaused } from "../../../platform/git/index.ts";
import { dropSeenTrees, pinSeenTrees } from "../../../workspace/checkout/worktree/index.ts";

it("[B-15] a look after a gc that removes every object without a ref still compares with what was seen before", async () => {
  const made = makeRepository({ "a.txt": "one\n", "user.txt": "mine\n" });
  onTestFinished(made.remove);
  const deps = { root: made.dir, repository: requireRepository(made.dir) };
  writeFileSync(join(made.dir, "user.txt"), "mine, edited\n");
  writeFileSync(join(made.dir, "untracked.txt"), "keep me\n");
  const look = (since: string | null) =>
    perform(
      deps,
      { kind: "look_at_checkout", moment: since === null ? "before" : "after", expected, paths: ["a.txt"], since },
      "look_at_checkout",
    );
  const expected = made.git("rev-parse", "HEAD^{tree}").trim();
  const before = (await look(null)).look;
  made.git("gc", "-q", "--prune=now");
  expect((await look(before.whole)).look.paths).toEqual(["user.txt"]);
  writeFileSync(join(made.dir, "untracked.txt"), "changed\n");
  expect((await look(before.whole)).look.paths.toSorted()).toEqual(["untracked.txt", "user.txt"]);
  await perform(deps, { kind: "retire_workspace" }, "retire_workspace");
  expect(made.git("for-each-ref", "refs/thehood/seen/")).toBe("");
});

it("[B-15] a seen tree that a git prune takes away while it is pinned is pinned again, and a ref to nothing is dropped", async () => {
  const made = makeRepository({ "a.txt": "one\n" });
  onTestFinished(made.remove);
  const repository = requireRepository(made.dir);
  const ref = "refs/thehood/seen/run_0mwn0uaj7000hokc6kdswf";
  const loose = (id: string) => join(made.dir, ".git/objects", id.slice(0, 2), id.slice(2));
  const head = made.git("rev-parse", "HEAD").trim();
  const runId = ref.split("/").at(-1) ?? "";
  const places: boolean[] = [];
  // The tree is there when the commit is made, and gone when it is read back: as a prune does it that began before.
  await withGcPaused(repository, async (where) => {
    places.push(where.aside !== undefined);
    writeFileSync(join(made.dir, "b.txt"), "new\n");
    made.git("add", "b.txt");
    const tree = made.git("write-tree").trim();
    made.git("reset", "-q");
    const blob = made.git("rev-parse", `${tree}:b.txt`).trim();
    if (!where.aside) rmSync(loose(blob));
    await pinSeenTrees(where, runId, [tree], head);
  });
  expect(places).toEqual([false, true]);
  expect(made.git("fsck", "--no-dangling", "--connectivity-only")).toBe("");
  const [seen = ""] = made.git("ls-tree", "--name-only", ref).split("\n");
  expect(made.git("show", `${ref}:${seen}/b.txt`)).toBe("new\n");
  rmSync(loose(made.git("rev-parse", ref).trim()), { force: true });
  await dropSeenTrees(repository, runId);
  expect(made.git("for-each-ref", "refs/thehood/seen/")).toBe("");
});
