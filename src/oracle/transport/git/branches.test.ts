import { expect, it } from "vitest";
import { makeRepository } from "../../../../tests/support/repository.ts";
import { requireRepository } from "../../../platform/git/index.ts";
import { makeBranch } from "./branches.ts";

it("[T-22] a new branch takes the name of no other, also when that was made a moment ago", async () => {
  const made = makeRepository({ "a.txt": "one\n" });
  made.git("branch", "theirs");
  made.write("a.txt", "two\n");
  made.commit();
  const [branch, theirs] = [made.git("symbolic-ref", "HEAD"), made.git("rev-parse", "theirs")];
  await expect(makeBranch(requireRepository(made.dir), "theirs")).rejects.toMatchObject({
    failure: { code: "git_failed" },
  });
  expect([made.git("symbolic-ref", "HEAD"), made.git("rev-parse", "theirs")]).toEqual([branch, theirs]);
  await makeBranch(requireRepository(made.dir), "ours");
  expect(made.git("symbolic-ref", "HEAD").trim()).toBe("refs/heads/ours");
});
