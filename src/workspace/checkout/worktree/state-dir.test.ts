import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeRepository } from "../../../../tests/support/repository.ts";
import { refuseTrackedState, requireRepository } from "../../../platform/git/index.ts";
import { ensureExcluded, stateFolder } from "./index.ts";
import { made, repository, repositoryForEachTest } from "../../../../tests/support/worktree-scene.ts";

repositoryForEachTest();

describe("[S-7] our folder in the repository", () => {
  it("is kept out of git's sight in a checkout, a linked worktree and a submodule", () => {
    expect(ensureExcluded(repository)).toBe("updated");
    expect(ensureExcluded(repository)).toBe("already_ignored");
    expect(ensureExcluded(undefined)).toBe("not_git_repo");
    writeFileSync(join(made.dir, ".git/info/exclude"), "# mine\n*.swp");
    expect(ensureExcluded(repository)).toBe("updated");
    expect(readFileSync(join(made.dir, ".git/info/exclude"), "utf8")).toBe(
      "# mine\n*.swp\n.thehood/\n.thehood\n.thehood-work/\n.thehood-move-*\n.thehood-browser.json\n",
    );
    const linked = join(made.dir, "..", `linked-${process.pid}`);
    made.git("worktree", "add", "-q", "--detach", linked);
    expect(ensureExcluded(requireRepository(linked))).toBe("already_ignored");
    made.git("worktree", "remove", "--force", linked);
    const inner = makeRepository({ x: "x" });
    made.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", inner.dir, "sub");
    const submodule = requireRepository(join(made.dir, "sub"));
    expect(ensureExcluded(submodule)).toBe("updated");
    expect(readFileSync(join(made.dir, ".git/modules/sub/info/exclude"), "utf8")).toContain(".thehood/");
    inner.remove();
  });

  it("refuses a clone that tracks it, in any case, and a link in its place", () => {
    refuseTrackedState(repository);
    made.write(".TheHood/config.json", "{}");
    made.commit();
    expect(() => refuseTrackedState(repository)).toThrow(/ships state or policy/);
    symlinkSync("/tmp", join(made.dir, ".thehood"));
    expect(() => stateFolder(repository)).toThrow(/not a plain folder/);
  });
});
