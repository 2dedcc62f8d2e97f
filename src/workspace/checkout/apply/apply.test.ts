import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { makeRepository, type TestRepository } from "../../../../tests/support/repository.ts";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";
import { waitUntil } from "../../../../tests/support/wait-until.ts";
import { requireRepository, useUserVariables, type Repository } from "../../../platform/git/index.ts";
import { binaryTools } from "../../../platform/system/index.ts";
import { captureChanges, checkoutTree, createWorktree, stateSubfolder, treeOf } from "../worktree/index.ts";
import { applyPatch, integrateTrees, recoverApplies } from "./index.ts";
import { lockApplies } from "./lock.ts";

let made: TestRepository;
let repository: Repository;
const files = {
  "a.txt": "one\ntwo\nthree\n",
  "b.txt": "b\n",
  "dir/c.txt": "c\n",
  "run.sh": "#!/bin/sh\n",
  "user.txt": "user\n",
};

beforeEach(() => {
  made = makeRepository(files);
  repository = requireRepository(made.dir);
});
afterEach(() => made.remove());

const read = (path: string) => readFileSync(join(made.dir, path), "utf8");
const head = () => made.git("rev-parse", "HEAD").trim();

/** A patch made by real work in a worktree. */
async function work(edit: (dir: string) => void, runId = "run_apply0001") {
  const worktree = await createWorktree(repository, { runId, baseCommit: head() });
  edit(worktree.path);
  return captureChanges(worktree);
}

const edits = (dir: string) => {
  writeFileSync(join(dir, "a.txt"), "one\n2\nthree\n");
  unlinkSync(join(dir, "dir/c.txt"));
  mkdirSync(join(dir, "new/deep"), { recursive: true });
  writeFileSync(join(dir, "new/deep/n.bin"), Buffer.from([0, 255, 1]));
  chmodSync(join(dir, "run.sh"), 0o755);
};
const options = { approveProtected: true, binary: binaryTools };

describe("[R-31] integrating a worker's patch", () => {
  it("brings every change over, leaves the index alone, removes emptied folders", async () => {
    const capture = await work(edits);
    const done = await applyPatch(repository, { patch: capture.patch, options, expectedTree: capture.tree });
    expect(done).toMatchObject({ outcome: "applied", toTree: capture.tree });
    expect(read("a.txt")).toBe("one\n2\nthree\n");
    expect(existsSync(join(made.dir, "dir"))).toBe(false);
    expect(readFileSync(join(made.dir, "new/deep/n.bin"))).toEqual(Buffer.from([0, 255, 1]));
    expect(statSync(join(made.dir, "new/deep/n.bin")).nlink).toBe(1);
    expect(statSync(join(made.dir, "run.sh")).mode & 0o111).not.toBe(0);
    expect(made.git("diff", "--cached", "--name-only")).toBe("");
    expect(
      made
        .git("status", "--porcelain")
        .trim()
        .split("\n")
        .map((line) => line.trim()),
    ).toEqual(["M a.txt", "D dir/c.txt", "M run.sh", "?? new/"]);
  });

  it("[S-6] blocks on a file the user has edited, staged or made, and touches nothing", async () => {
    const capture = await work(edits);
    const situations: Record<string, () => void> = {
      "a.txt": () => appendFileSync(join(made.dir, "a.txt"), "mine\n"),
      "dir/c.txt": () => writeFileSync(join(made.dir, "dir/c.txt"), "mine\n"),
      "new/deep/n.bin": () => made.write("new/deep/n.bin", "mine"),
      "run.sh": () => {
        made.write("run.sh", "staged\n");
        made.git("add", "run.sh");
        made.write("run.sh", files["run.sh"]);
      },
    };
    for (const [path, dirty] of Object.entries(situations)) {
      made.git("reset", "-q", "--hard");
      made.git("clean", "-fdq");
      dirty();
      const before = made.git("status", "--porcelain=v2", "-uall");
      const done = await applyPatch(repository, { patch: capture.patch, options });
      expect(done, path).toMatchObject({ outcome: "refused", verdict: { reason: "dirty_target" } });
      expect(made.git("status", "--porcelain=v2", "-uall")).toBe(before);
    }
  });

  it("[R-31] keeps the user's uncommitted edits in every other file", async () => {
    const capture = await work(edits);
    made.write("user.txt", "my edit\n");
    made.write("b.txt", "staged edit\n");
    made.git("add", "b.txt");
    made.write("mine.txt", "untracked\n");
    expect((await applyPatch(repository, { patch: capture.patch, options })).outcome).toBe("applied");
    expect([read("user.txt"), read("b.txt"), read("mine.txt")]).toEqual(["my edit\n", "staged edit\n", "untracked\n"]);
    expect(made.git("diff", "--cached", "--name-only").trim()).toBe("b.txt");
  });

  it("what we integrated before is known state: the next pass goes on top of it", async () => {
    const first = await work((dir) => writeFileSync(join(dir, "a.txt"), "1\n"));
    await applyPatch(repository, { patch: first.patch, options });
    const second = await work((dir) => writeFileSync(join(dir, "a.txt"), "2\n"));
    const from = first.tree;
    const { diffTrees } = await import("../worktree/index.ts");
    const patch = await diffTrees(repository, from, second.tree);
    expect((await applyPatch(repository, { patch, options })).outcome).toBe("refused");
    const done = await applyPatch(repository, { patch, options, knownTree: from, expectedTree: second.tree });
    expect(done.outcome).toBe("applied");
    expect(read("a.txt")).toBe("2\n");
  });

  it("a patch that is already there is reported so, and nothing happens", async () => {
    const capture = await work(edits);
    await applyPatch(repository, { patch: capture.patch, options });
    const inode = statSync(join(made.dir, "a.txt")).ino;
    expect((await applyPatch(repository, { patch: capture.patch, options })).outcome).toBe("already_applied");
    expect(statSync(join(made.dir, "a.txt")).ino).toBe(inode);
  });

  it("refuses paths beyond the approved ones and a tree other than the approved one", async () => {
    const capture = await work(edits);
    const narrow = await applyPatch(repository, { patch: capture.patch, options, approvedPaths: ["a.txt"] });
    expect(narrow).toMatchObject({ outcome: "refused", verdict: { verdict: "reject" } });
    const base = await treeOf(repository, "HEAD");
    const other = await applyPatch(repository, { patch: capture.patch, options, expectedTree: base });
    expect(other).toMatchObject({ outcome: "refused", verdict: { verdict: "reject" } });
    expect(made.git("status", "--porcelain")).toBe("");
  });

  it("undoes an integration as long as the files were not changed since", async () => {
    const capture = await work(edits);
    await applyPatch(repository, { patch: capture.patch, options });
    const back = { fromTree: capture.tree, toTree: capture.baseTree };
    made.write("a.txt", "edited since\n");
    expect(await integrateTrees(repository, back)).toMatchObject({ outcome: "blocked", paths: ["a.txt"] });
    expect(read("a.txt")).toBe("edited since\n");
    made.write("a.txt", "one\n2\nthree\n");
    expect((await integrateTrees(repository, back)).outcome).toBe("applied");
    expect(made.git("status", "--porcelain")).toBe("");
    expect(existsSync(join(made.dir, "new"))).toBe(false);
  });

  it("two integrations at once: one after the other, never mixed", async () => {
    const first = await work((dir) => writeFileSync(join(dir, "a.txt"), "1\n"), "run_first001");
    const second = await work((dir) => writeFileSync(join(dir, "a.txt"), "2\n"), "run_second01");
    const done = await Promise.all([first, second].map(({ patch }) => applyPatch(repository, { patch, options })));
    expect(done.map(({ outcome }) => outcome === "applied").toSorted()).toEqual([false, true]);
    expect(["1\n", "2\n"]).toContain(read("a.txt"));
    expect(readdirSync(join(made.dir, ".git/thehood/apply"))).toEqual(["lock.db", "mover.db"]);
  });

  it("waits for another integration with git's part done, and does it again when the last commit is another one by then", async () => {
    const patch = Buffer.from(
      "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n",
    );
    const blob = createHash("sha1").update("blob 12\0one\n2\nthree\n").digest("hex");
    const folder = stateSubfolder(repository, "apply");
    const lock = await lockApplies(folder);
    const applying = applyPatch(repository, { patch, options });
    const file = join(made.dir, ".git/objects", blob.slice(0, 2), blob.slice(2));
    await waitUntil(() => existsSync(file), "git has made the new file");
    expect(read("a.txt")).toBe(files["a.txt"]);
    writeFileSync(join(made.dir, "b.txt"), "b of another commit\n");
    made.git("commit", "-qam", "another");
    lock.release();
    const { fromTree } = { fromTree: "", ...(await applying) };
    expect(fromTree).toBe(made.git("rev-parse", "HEAD^{tree}").trim());
    expect(read("a.txt")).toBe("one\n2\nthree\n");
    expect(made.git("status", "--porcelain")).toBe(" M a.txt\n");
  });

  it("works in a linked worktree of the user and before the first commit", async () => {
    const linked = `${made.dir}-linked`;
    made.git("worktree", "add", "-q", "--detach", linked);
    const patch = Buffer.from(
      "diff --git a/x.txt b/x.txt\nnew file mode 100644\n--- /dev/null\n+++ b/x.txt\n@@ -0,0 +1 @@\n+x\n",
    );
    expect((await applyPatch(requireRepository(linked), { patch })).outcome).toBe("applied");
    expect(readFileSync(join(linked, "x.txt"), "utf8")).toBe("x\n");
    rmSync(linked, { recursive: true });
    rmSync(join(made.dir, ".git"), { recursive: true });
    made.git("init", "-q");
    expect((await applyPatch(requireRepository(made.dir), { patch })).outcome).toBe("applied");
  });

  it("a file whose line ends the repository converts keeps its line ends; a new one follows the attributes", async () => {
    made.write(".gitattributes", "*.bat text eol=crlf\n");
    made.write("go.bat", "echo 1\r\necho 2\r\n");
    made.commit();
    made.git("rm", "-q", "--cached", "go.bat");
    made.git("checkout", "-q", "HEAD", "--", "go.bat");
    expect(read("go.bat")).toBe("echo 1\r\necho 2\r\n");
    const patch = Buffer.from(
      "diff --git a/go.bat b/go.bat\n--- a/go.bat\n+++ b/go.bat\n@@ -1,2 +1,2 @@\n echo 1\n-echo 2\n+echo 3\n" +
        "diff --git a/new.bat b/new.bat\nnew file mode 100644\n--- /dev/null\n+++ b/new.bat\n@@ -0,0 +1 @@\n+echo new\n",
    );
    expect((await applyPatch(repository, { patch, options })).outcome).toBe("applied");
    expect([read("go.bat"), read("new.bat")]).toEqual(["echo 1\r\necho 3\r\n", "echo new\r\n"]);
  });

  it.each([".gitattributes", "dir/.gitattributes", ".git/info/attributes"])(
    "a file that the repository converts without any CR in it is known as unchanged (%s)",
    async (place) => {
      made.write("dir/id.txt", "$Id$\none\n");
      made.write(place, "*.txt ident\n");
      made.commit();
      rmSync(join(made.dir, "dir/id.txt"));
      made.git("checkout", "-q", "HEAD", "--", "dir/id.txt");
      expect(read("dir/id.txt")).toMatch(/^\$Id: [0-9a-f]+ \$\none\n$/);
      const capture = await work((dir) => appendFileSync(join(dir, "dir/id.txt"), "two\n"));
      expect((await applyPatch(repository, { patch: capture.patch, options })).outcome).toBe("applied");
      expect(read("dir/id.txt")).toMatch(/^\$Id(?:: [0-9a-f]+ )?\$\none\ntwo\n$/);
    },
  );

  it("[R-31] a file that the user staged as the last commit has it is not in the way", async () => {
    const capture = await work((dir) => writeFileSync(join(dir, "a.txt"), "one\n2\nthree\n"));
    made.write("a.txt", "one\n2\nthree\n");
    made.commit();
    made.write("a.txt", files["a.txt"]);
    const request = { patch: capture.patch, options, knownTree: capture.baseTree };
    expect((await applyPatch(repository, request)).outcome).toBe("applied");
    made.write("a.txt", "staged by hand\n");
    made.git("add", "a.txt");
    made.write("a.txt", files["a.txt"]);
    expect(await applyPatch(repository, request)).toMatchObject({
      outcome: "refused",
      verdict: { reason: "dirty_target" },
    });
  });

  it("[R-31] work of a run is not moved over a file with a staged edit, although the work tree has the old content", async () => {
    const capture = await work((dir) => writeFileSync(join(dir, "a.txt"), "one\n2\nthree\n"));
    made.write("a.txt", "staged by hand\n");
    made.git("add", "a.txt");
    made.write("a.txt", files["a.txt"]);
    const before = made.git("status", "--porcelain=v2");
    const move = { fromTree: capture.baseTree, toTree: capture.tree };
    expect(await integrateTrees(repository, move)).toMatchObject({ outcome: "blocked", paths: ["a.txt"] });
    expect(made.git("status", "--porcelain=v2")).toBe(before);
    expect(made.git("show", ":a.txt")).toBe("staged by hand\n");
  });

  it("core.autocrlf of the repository does not rewrite a file that has LF", async () => {
    made.git("config", "core.autocrlf", "true");
    const capture = await work((dir) => writeFileSync(join(dir, "a.txt"), "one\n2\nthree\n"));
    expect((await applyPatch(repository, { patch: capture.patch, options })).outcome).toBe("applied");
    expect(read("a.txt")).toBe("one\n2\nthree\n");
  });

  it("a clean checkout that core.autocrlf of the user wrote takes the work, keeps its line ends, and gives it back", async () => {
    const global = join(tempFolder(), "gitconfig");
    writeFileSync(global, "[core]\n\tautocrlf = true\n");
    const env = { ...process.env, GIT_CONFIG_GLOBAL: global };
    useUserVariables(env);
    onTestFinished(() => useUserVariables({}));
    rmSync(join(made.dir, "a.txt"));
    const asUser = { cwd: made.dir, encoding: "utf8", env } as const;
    execFileSync("git", ["checkout", "-q", "--", "a.txt"], asUser);
    expect(read("a.txt")).toBe("one\r\ntwo\r\nthree\r\n");
    const { tree } = await checkoutTree(repository, ["a.txt"]);
    expect(tree).toBe(made.git("rev-parse", "HEAD^{tree}").trim());
    const capture = await work((dir) => writeFileSync(join(dir, "a.txt"), "one\n2\nthree\n"));
    expect(capture.baseTree).toBe(tree);
    expect((await applyPatch(repository, { patch: capture.patch, options })).outcome).toBe("applied");
    expect(read("a.txt")).toBe("one\r\n2\r\nthree\r\n");
    const back = { fromTree: capture.tree, toTree: capture.baseTree };
    expect(await integrateTrees(repository, back)).toMatchObject({ outcome: "applied" });
    expect(execFileSync("git", ["status", "--porcelain"], asUser)).toBe("");
  });

  it("does not write through a folder that was swapped for a link after the check", async () => {
    const outside = makeRepository({ "c.txt": "c\n" });
    const capture = await work((dir) => writeFileSync(join(dir, "dir/c.txt"), "new\n"));
    rmSync(join(made.dir, "dir"), { recursive: true });
    symlinkSync(outside.dir, join(made.dir, "dir"));
    expect((await applyPatch(repository, { patch: capture.patch, options })).outcome).toBe("refused");
    expect(readFileSync(join(outside.dir, "c.txt"), "utf8")).toBe("c\n");
    outside.remove();
  });

  it("recovery has nothing to do where nothing happened", async () => {
    expect(await recoverApplies(repository)).toEqual([]);
    expect(existsSync(join(made.dir, ".thehood"))).toBe(false);
  });
});
