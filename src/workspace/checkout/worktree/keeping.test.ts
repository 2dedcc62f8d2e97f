import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { plainGit } from "../../../../tests/support/repository.ts";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";
import { stateHome } from "../../../platform/git/index.ts";
import { bringBackCommit } from "./held-commits.ts";
import {
  captureChanges,
  createWorktree,
  dropPinned,
  dropPinnedFolder,
  listPinned,
  listPinnedFolders,
  pinCapture,
  removeWorktree,
  retireWorktree,
  sweepWorktrees,
  type Worktree,
} from "./index.ts";
import {
  base,
  made,
  paths,
  put,
  repository,
  repositoryForEachTest,
  runId,
  start,
} from "../../../../tests/support/worktree-scene.ts";

repositoryForEachTest();

/** A file of a commit that is held as text beside the work. */
const heldFile = (ref: string | undefined, commit: string, path: string): string =>
  made.git("show", `${ref?.replace("/keep/", "/commit/")}:${commit}.files/${path}`);

describe("work is never lost", () => {
  it("removing a worktree pins commits, index, unstaged and untracked files first", async () => {
    const worktree = await start();
    put(worktree, "a.txt", "committed\n");
    plainGit(worktree.path, "commit", "-qam", "work");
    const head = plainGit(worktree.path, "rev-parse", "HEAD").trim();
    put(worktree, "staged-only.txt", "staged\n");
    plainGit(worktree.path, "add", "staged-only.txt");
    unlinkSync(join(worktree.path, "staged-only.txt"));
    put(worktree, "untracked.txt", "u\n");
    const { removed, kept } = await removeWorktree(worktree);
    expect(removed).toBe(true);
    expect(existsSync(worktree.path)).toBe(false);
    expect(kept?.ref).toBe(`refs/thehood/keep/${runId}/1`);
    expect(made.git("show", `${kept?.ref}:untracked.txt`)).toBe("u\n");
    expect(made.git("show", `${kept?.ref}:a.txt`)).toBe("committed\n");
    const [, second, index = ""] = (await listPinned(repository, runId))[0]?.parents ?? [];
    expect(heldFile(kept?.ref, index, "staged-only.txt")).toBe("staged\n");
    expect(second).toBe(head);
    expect(made.git("worktree", "list").trim().split("\n")).toHaveLength(1);
    made.git("reflog", "expire", "--expire=now", "--all");
    made.git("gc", "-q", "--prune=now");
    expect(made.git("show", `${kept?.ref}:untracked.txt`)).toBe("u\n");
    expect(heldFile(kept?.ref, index, "staged-only.txt")).toBe("staged\n");
    expect(await bringBackCommit(repository, head)).toBe(true);
    expect(made.git("log", "-1", "--format=%s", head)).toBe("work\n");
    expect(made.git("fsck", "--no-dangling")).toBe("");
  });

  it("[R-30] commits that the worker's HEAD left again are pinned: nothing else would lead to them", async () => {
    const worktree = await start();
    put(worktree, "gone.txt", "gone\n");
    plainGit(worktree.path, "add", "-A");
    plainGit(worktree.path, "commit", "-qm", "work");
    const left = plainGit(worktree.path, "rev-parse", "HEAD").trim();
    plainGit(worktree.path, "reset", "-q", "--hard", "HEAD~1");
    const { removed, kept } = await removeWorktree(worktree);
    expect(removed).toBe(true);
    made.git("reflog", "expire", "--expire=now", "--all");
    made.git("gc", "-q", "--prune=now");
    expect((await listPinned(repository, runId))[0]?.parents[1]).toBe(left);
    expect(heldFile(kept?.ref, left, "gone.txt")).toBe("gone\n");
    expect(await bringBackCommit(repository, left)).toBe(true);
    expect(made.git("show", `${left}:gone.txt`)).toBe("gone\n");
  });

  it("[R-30] files that the repository ignores are not part of the work, and are kept in a private folder, out of every ref that a push publishes", async () => {
    const worktree = await start();
    put(worktree, "a.txt", "two\n");
    put(worktree, "notes.log", "TOKEN=kept and not published\n");
    mkdirSync(join(worktree.path, "build"));
    put(worktree, "build/made.txt", "made by a tool\n");
    const captured = await captureChanges(worktree);
    expect(captured.changes.map(({ path }) => path)).toEqual(["a.txt"]);
    await pinCapture(worktree, captured);
    const { removed } = await removeWorktree(worktree);
    expect(removed).toBe(true);
    const stateDir = stateHome(repository);
    const [one, ...others] = listPinnedFolders(stateDir);
    expect({ runId: one?.runId, files: one?.files, others }).toEqual({ runId, files: 1, others: [] });
    const copy = join(one?.folder ?? "", "notes.log");
    expect(readFileSync(copy, "utf8")).toBe("TOKEN=kept and not published\n");
    expect(statSync(one?.folder ?? "").mode & 0o077).toBe(0);
    const mirror = tempFolder("mirror-");
    plainGit(mirror, "init", "-q", "--bare");
    made.git("push", "-q", "--mirror", mirror);
    expect(plainGit(mirror, "for-each-ref")).toContain("refs/thehood/keep/");
    expect(plainGit(mirror, "cat-file", "--batch-all-objects", "--batch")).not.toContain("TOKEN");
    dropPinnedFolder(stateDir, one ?? { folder: "" });
    expect(listPinnedFolders(stateDir)).toEqual([]);
  });

  it.each(["config/local.json", "secrets/dev.pem", ".env", "data/notes/private.md", "docs/out.txt", "lib/target.txt"])(
    "[R-30] an ignored file that a hand can have written is kept: %s",
    async (path) => {
      writeFileSync(join(made.dir, ".git/info/exclude"), `/${path}\n`);
      const worktree = await start();
      mkdirSync(dirname(join(worktree.path, path)), { recursive: true });
      put(worktree, path, "written by hand\n");
      expect((await removeWorktree(worktree)).removed).toBe(true);
      const [one] = listPinnedFolders(stateHome(repository));
      expect(readFileSync(join(one?.folder ?? "", path), "utf8")).toBe("written by hand\n");
    },
  );

  it("[R-30] a repository inside with a history of its own keeps the folder, and the reason says so", async () => {
    const worktree = await start();
    const inner = join(worktree.path, "inner");
    mkdirSync(inner);
    plainGit(inner, "init", "-q");
    put(worktree, "inner/n.txt", "n\n");
    plainGit(inner, "add", "-A");
    plainGit(inner, "commit", "-qm", "inner");
    plainGit(worktree.path, "add", "inner");
    const { refs, left } = await retireWorktree(repository, runId);
    expect(left).toContain("inner");
    expect(existsSync(join(inner, ".git"))).toBe(true);
    expect(made.git("show", `${refs[0]}:inner/n.txt`)).toBe("n\n");
  });

  it("[R-30] a folder that became a link is captured, with what lay in it as deleted", async () => {
    const worktree = await start();
    renameSync(join(worktree.path, "src"), join(worktree.path, "real"));
    symlinkSync("real", join(worktree.path, "src"));
    expect(await paths(worktree)).toEqual([
      "added real/b.ts",
      "added real/c.ts",
      "added src",
      "deleted src/b.ts",
      "deleted src/c.ts",
    ]);
  });

  it("[R-43] a folder that was removed between two passes comes back with the work of the first", async () => {
    const worktree = await start();
    put(worktree, "a.txt", "first pass\n");
    put(worktree, "new.txt", "new\n");
    unlinkSync(join(worktree.path, "src/c.ts"));
    const first = await captureChanges(worktree);
    await pinCapture(worktree, first);
    rmSync(worktree.path, { recursive: true });
    made.git("worktree", "prune");
    const second = await createWorktree(repository, { runId, baseCommit: base, again: true });
    expect((await captureChanges(second)).tree).toBe(first.tree);
    expect(existsSync(join(second.path, "src/c.ts"))).toBe(false);
  });

  it("a clean worktree leaves no ref; the same work is pinned once", async () => {
    const worktree = await start();
    expect((await removeWorktree(worktree)).kept).toBeNull();
    const second = await start();
    put(second, "a.txt", "x\n");
    const capture = await captureChanges(second);
    const first = await pinCapture(second, capture);
    expect(await pinCapture(second, await captureChanges(second))).toEqual(first);
    put(second, "a.txt", "y\n");
    const other = await pinCapture(second, await captureChanges(second));
    expect(other?.ref).toBe(`refs/thehood/keep/${runId}/2`);
    expect((await listPinned(repository)).map((work) => work.ref)).toEqual([first?.ref, other?.ref]);
  });

  it("[R-30] work that changed after it was captured is pinned as it is at the end, however it changed", async () => {
    const changes: readonly (readonly [string, (worktree: Worktree) => void, string | null])[] = [
      ["a.txt", () => undefined, "two\n"],
      ["a.txt", (worktree) => put(worktree, "a.txt", "2wo\n"), "2wo\n"],
      [
        "a.txt",
        (worktree) => {
          const path = join(worktree.path, "a.txt");
          const { atime, mtime } = statSync(path);
          writeFileSync(path, "TWO\n");
          utimesSync(path, atime, mtime);
        },
        "TWO\n",
      ],
      ["new.txt", (worktree) => put(worktree, "new.txt", "new\n"), "new\n"],
      ["src/b.ts", (worktree) => unlinkSync(join(worktree.path, "src/b.ts")), null],
      [
        "forced.log",
        (worktree) => {
          put(worktree, "forced.log", "log\n");
          plainGit(worktree.path, "add", "-f", "forced.log");
        },
        "log\n",
      ],
    ];
    for (const [path, change, content] of changes) {
      const worktree = await start();
      put(worktree, "a.txt", "two\n");
      const first = await pinCapture(worktree, await captureChanges(worktree));
      change(worktree);
      const { removed, kept, refs } = await removeWorktree(worktree);
      expect(removed).toBe(true);
      expect(refs).toEqual([...new Set([first?.ref, kept?.ref])]);
      const there = made.git("ls-tree", "-r", "--name-only", kept?.ref ?? "").split("\n");
      expect(there.includes(path) ? made.git("show", `${kept?.ref}:${path}`) : null).toBe(content);
      for (const ref of refs) made.git("update-ref", "-d", ref);
    }
  });

  it("a pin whose note a crash lost is found again; another's is left alone", async () => {
    const worktree = await start();
    put(worktree, "a.txt", "x\n");
    const first = await pinCapture(worktree, await captureChanges(worktree));
    const record = join(made.dir, ".git/thehood/worktrees", runId, "work.json");
    const forgetPins = () => {
      const noted = JSON.parse(readFileSync(record, "utf8")) as object;
      writeFileSync(record, JSON.stringify({ ...noted, keptRefs: [] }));
    };
    forgetPins();
    expect(await pinCapture(worktree, await captureChanges(worktree))).toEqual(first);
    forgetPins();
    put(worktree, "a.txt", "y\n");
    const second = await pinCapture(worktree, await captureChanges(worktree));
    expect(second?.ref).toBe(`refs/thehood/keep/${runId}/2`);
    expect(made.git("show", `${first?.ref}:a.txt`)).toBe("x\n");
  });

  it("prune drops a kept ref only as it was shown", async () => {
    const worktree = await start();
    put(worktree, "a.txt", "x\n");
    const { kept } = await removeWorktree(worktree);
    if (!kept) throw new Error("nothing was kept");
    await expect(dropPinned(repository, { ref: kept.ref, object: base })).rejects.toThrow(/no longer holds/);
    await expect(dropPinned(repository, { ref: "refs/heads/main", object: base })).rejects.toThrow(/not kept work/);
    await dropPinned(repository, kept);
    expect(await listPinned(repository)).toEqual([]);
  });

  it("the end of a run leaves nothing, wherever a crash stopped the making or the removing", async () => {
    const folder = join(made.dir, ".git", "thehood", "worktrees", runId);
    const interrupted: (() => Promise<void>)[] = [
      async () => {
        const { path } = await start();
        rmSync(path, { recursive: true });
        writeFileSync(join(folder, "work.json.4711.tmp"), "{");
      },
      async () => {
        await start();
        rmSync(join(folder, "work.json"));
        writeFileSync(join(folder, `work.index.${base}`), "half an ind");
      },
      async () => {
        const worktree = await start();
        put(worktree, "a.txt", "x\n");
        await removeWorktree(worktree);
      },
    ];
    for (const crash of interrupted) {
      await crash();
      await retireWorktree(repository, runId);
      expect(existsSync(folder)).toBe(false);
      expect(made.git("worktree", "list").trim().split("\n")).toHaveLength(1);
    }
    expect(await listPinned(repository)).toHaveLength(1);
  });

  it("the sweep removes worktrees of finished runs only, pins them, and finishes what a crash began", async () => {
    const worktree = await start();
    put(worktree, "a.txt", "x\n");
    await createWorktree(repository, { runId: "run_live0001", baseCommit: base });
    const half = await createWorktree(repository, { runId: "run_half0001", baseCommit: base });
    rmSync(half.path, { recursive: true });
    made.git("worktree", "add", "-q", "--detach", join(made.dir, "..", `users-own-${process.pid}`));
    const report = await sweepWorktrees(repository, (id) => id === "run_live0001");
    expect(report.removed.toSorted()).toEqual([half.path, worktree.path].toSorted());
    expect(report.kept.map((work) => work.runId)).toEqual([runId]);
    expect(report.left).toEqual([]);
    const listed = made.git("worktree", "list");
    expect(listed).toContain("run_live0001");
    expect(listed).toContain("users-own");
    expect(listed).not.toContain("run_half0001");
    made.git("worktree", "remove", "--force", join(made.dir, "..", `users-own-${process.pid}`));
  });
});

describe("[B-15] a pin", () => {
  it("counts only when everything that it leads to can be read back; until then nothing is removed", async () => {
    const worktree = await start();
    put(worktree, "a.txt", "work that must not be lost\n");
    const capture = await captureChanges(worktree);
    const blob = plainGit(made.dir, "rev-parse", `${capture.tree}:a.txt`).trim();
    const file = join(made.dir, ".git/objects", blob.slice(0, 2), blob.slice(2));
    const whole = readFileSync(file);
    // As a power loss, or a `git prune` beside us, leaves it.
    rmSync(file);
    await expect(pinCapture(worktree, capture)).rejects.toMatchObject({
      failure: { code: "git_failed", message: expect.stringContaining("cannot be read back") },
    });
    expect(readFileSync(join(worktree.path, "a.txt"), "utf8")).toBe("work that must not be lost\n");
    writeFileSync(file, whole);
    const kept = await pinCapture(worktree, capture);
    expect(plainGit(made.dir, "show", `${kept?.ref}:a.txt`)).toBe("work that must not be lost\n");
  });

  it("holds while a gc of the user's runs: all of it is in one pack that the gc must keep until the ref is there", async () => {
    const worktree = await start();
    put(worktree, "a.txt", "work that must not be lost\n");
    writeFileSync(join(made.dir, ".git/gc.pid"), "1 here");
    const { removed, kept } = await removeWorktree(worktree);
    expect(removed).toBe(true);
    const blob = made.git("rev-parse", `${kept?.ref}:a.txt`).trim();
    expect(existsSync(join(made.dir, ".git/objects", blob.slice(0, 2), blob.slice(2)))).toBe(false);
    expect(made.git("show", `${kept?.ref}:a.txt`)).toBe("work that must not be lost\n");
    const packs = readdirSync(join(made.dir, ".git/objects/pack"));
    expect(packs.filter((name) => name.endsWith(".pack"))).toHaveLength(1);
    expect(packs.filter((name) => name.endsWith(".keep"))).toEqual([]);
  });
});

describe("[B-18] a worktree whose record", () => {
  const recordFile = () => join(made.dir, ".git/thehood/worktrees", runId, "work.json");

  it.each(["", "{ half", '{"version":1}'])("cannot be read (%j) is taken up with the work in it", async (text) => {
    const worktree = await start();
    put(worktree, "a.txt", "precious\n");
    writeFileSync(recordFile(), text);
    const again = await createWorktree(repository, { runId, baseCommit: base, again: true });
    expect(readFileSync(join(again.path, "a.txt"), "utf8")).toBe("precious\n");
    writeFileSync(recordFile(), text);
    const { refs } = await retireWorktree(repository, runId);
    expect(plainGit(made.dir, "show", `${refs.at(-1)}:a.txt`)).toBe("precious\n");
    expect(existsSync(worktree.path)).toBe(false);
  });

  it("is of a newer version is left as it is, and reported", async () => {
    const worktree = await start();
    put(worktree, "a.txt", "precious\n");
    writeFileSync(recordFile(), '{"version":2}');
    await expect(createWorktree(repository, { runId, baseCommit: base })).rejects.toMatchObject({
      failure: { code: "store_version" },
    });
    expect(readFileSync(join(worktree.path, "a.txt"), "utf8")).toBe("precious\n");
  });
});
