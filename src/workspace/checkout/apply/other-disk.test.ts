// State on another disk than the checkout: a rename between the two is not possible.
import { cpSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeRepository } from "../../../../tests/support/repository.ts";
import { requireRepository } from "../../../platform/git/index.ts";
import { entryAt } from "../../../platform/system/index.ts";
import { applyPatch } from "./index.ts";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";

const memory = "/dev/shm";
const isOther = entryAt(memory)?.isDirectory() === true && statSync(memory).dev !== statSync(tmpdir()).dev;

const patch = `diff --git a/a.txt b/a.txt
--- a/a.txt
+++ b/a.txt
@@ -1 +1 @@
-old
+new
diff --git a/dir/gone.txt b/dir/gone.txt
deleted file mode 100644
--- a/dir/gone.txt
+++ /dev/null
@@ -1 +0,0 @@
-bye
diff --git a/fresh/deep/b.txt b/fresh/deep/b.txt
new file mode 100644
--- /dev/null
+++ b/fresh/deep/b.txt
@@ -0,0 +1 @@
+b
`;

describe.skipIf(!isOther)(`[B-15] a checkout on another disk than its git folder (needs ${memory})`, () => {
  const scene = () => {
    const made = makeRepository({ "a.txt": "old\n", "dir/gone.txt": "bye\n" });
    const aside = tempFolder("thehood-git-", memory);
    onTestFinished(() => made.remove());
    const own = join(made.dir, ".git");
    cpSync(own, join(aside, "git"), { recursive: true });
    rmSync(own, { recursive: true });
    writeFileSync(own, `gitdir: ${join(aside, "git")}\n`);
    return { made, repository: requireRepository(made.dir) };
  };

  it("is moved as a whole, and nothing of ours stays beside the files", async () => {
    const { made, repository } = scene();
    expect(await applyPatch(repository, { patch: Buffer.from(patch) })).toMatchObject({ outcome: "applied" });
    expect(readFileSync(join(made.dir, "a.txt"), "utf8")).toBe("new\n");
    expect(readFileSync(join(made.dir, "fresh/deep/b.txt"), "utf8")).toBe("b\n");
    const left = readdirSync(made.dir, { recursive: true }).map(String);
    expect(left.filter((name) => name.includes("thehood") || name.includes("gone"))).toEqual([]);
  });

  it("is left as it is when the fence is shut", async () => {
    const { made, repository } = scene();
    const fence = () => Promise.reject(new Error("taken over"));
    await expect(applyPatch(repository, { patch: Buffer.from(patch), fence })).rejects.toThrow("taken over");
    expect(made.git("status", "--porcelain")).toBe("");
    expect(readFileSync(join(made.dir, "a.txt"), "utf8")).toBe("old\n");
  });
});
