// The trees of the checkout that the log names outlive a `git gc --prune=now` of the user.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { makeRepository } from "../../../../tests/support/repository.ts";
import { perform } from "../../../../tests/support/effect-scene.ts";
import { requireRepository } from "../../../platform/git/index.ts";

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
