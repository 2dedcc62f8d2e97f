import {
  chmodSync,
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
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeRepository, plainGit, type TestRepository } from "../../../tests/support/repository.ts";
import { git, refuseTrackedState, requireRepository, type Repository } from "../git/index.ts";
import {
  captureChanges,
  createWorktree,
  describeRepository,
  dropKept,
  ensureExcluded,
  listKept,
  openWorktree,
  pinCapture,
  removeWorktree,
  retireWorktree,
  stateFolder,
  sweepWorktrees,
  withoutUserinfo,
  type Worktree,
} from "./index.ts";

let made: TestRepository;
let repository: Repository;
let base = "";
const runId = "run_abc12345";

beforeEach(() => {
  made = makeRepository({
    "a.txt": "one\n",
    "src/b.ts": "export const b = 1;\n",
    "src/c.ts": "export const c = 1;\n",
    "run.sh": "#!/bin/sh\n",
    ".gitignore": "*.log\nbuild/\n",
  });
  repository = requireRepository(made.dir);
  base = made.git("rev-parse", "HEAD").trim();
});
afterEach(() => made.remove());

const start = () => createWorktree(repository, { runId, baseCommit: base });
const put = (worktree: Worktree, path: string, content: string | Uint8Array) =>
  writeFileSync(join(worktree.path, path), content);
const paths = async (worktree: Worktree) =>
  (await captureChanges(worktree)).changes.map((change) => `${change.status} ${change.path}`);

/** Applies a captured patch to a fresh checkout of the base with plain git and gives the tree it makes. */
function replay(patch: Buffer): string {
  const dir = join(made.dir, "..", `replay-${Date.now()}-${Math.floor(performance.now() * 1000)}`);
  plainGit(made.dir, "worktree", "add", "-q", "--detach", dir, base);
  try {
    const file = join(dir, "..", `${Date.now()}.patch`);
    writeFileSync(file, patch);
    if (patch.length > 0) plainGit(dir, "apply", "--index", "--binary", file);
    rmSync(file);
    return plainGit(dir, "write-tree").trim();
  } finally {
    plainGit(made.dir, "worktree", "remove", "--force", dir);
  }
}

describe("[R-30] an isolated worktree", () => {
  it("stands at the base commit, detached, below .thehood/worktrees, and the checkout stays clean", async () => {
    const worktree = await start();
    expect(worktree.path).toBe(join(made.dir, ".thehood/worktrees", runId, "work"));
    expect(plainGit(worktree.path, "rev-parse", "HEAD").trim()).toBe(base);
    expect(plainGit(worktree.path, "status", "--porcelain")).toBe("");
    expect(plainGit(worktree.path, "branch", "--show-current")).toBe("");
    expect(made.git("status", "--porcelain")).toBe("");
  });

  it("is the same one for a repair pass, also from another process", async () => {
    const worktree = await start();
    put(worktree, "a.txt", "two\n");
    const again = await start();
    expect(readFileSync(join(again.path, "a.txt"), "utf8")).toBe("two\n");
    expect(openWorktree(repository, runId)?.baseCommit).toBe(base);
    expect(again.record.inode).toBe(statSync(worktree.path).ino);
  });

  it("is made anew where a crash left half of one", async () => {
    mkdirSync(join(made.dir, ".thehood/worktrees", runId, "work"), { recursive: true });
    writeFileSync(join(made.dir, ".thehood/worktrees", runId, "work", "junk"), "x");
    const worktree = await start();
    expect(existsSync(join(worktree.path, "junk"))).toBe(false);
    expect(await paths(worktree)).toEqual([]);
  });

  it("refuses names that are no plain segment and a base that is no commit", async () => {
    await expect(createWorktree(repository, { runId: "../x", baseCommit: base })).rejects.toThrow(
      /cannot name/,
    );
    await expect(createWorktree(repository, { runId, baseCommit: "nope" })).rejects.toThrow(/no commit/);
  });
});

describe("[R-30] capturing what a worker did", () => {
  it("holds commits, staged, unstaged and untracked changes and deletions together", async () => {
    const worktree = await start();
    put(worktree, "a.txt", "committed\n");
    plainGit(worktree.path, "commit", "-qam", "work");
    put(worktree, "src/b.ts", "export const b = 2;\n");
    plainGit(worktree.path, "add", "src/b.ts");
    put(worktree, "new.txt", "new\n");
    plainGit(worktree.path, "add", "new.txt");
    put(worktree, "new.txt", "newer\n");
    put(worktree, "src/untracked.ts", "u\n");
    unlinkSync(join(worktree.path, "src/c.ts"));
    const capture = await captureChanges(worktree);
    expect(capture.changes.map((change) => `${change.status} ${change.path}`)).toEqual([
      "modified a.txt",
      "added new.txt",
      "modified src/b.ts",
      "deleted src/c.ts",
      "added src/untracked.ts",
    ]);
    expect(replay(capture.patch)).toBe(capture.tree);
    expect(capture.workerHead).toBe(plainGit(worktree.path, "rev-parse", "HEAD").trim());
  });

  it("changes nothing: the worker's index, HEAD and files are as before", async () => {
    const worktree = await start();
    put(worktree, "src/untracked.ts", "u\n");
    const before = plainGit(worktree.path, "status", "--porcelain");
    await captureChanges(worktree);
    expect(plainGit(worktree.path, "status", "--porcelain")).toBe(before);
    expect(readdirSync(join(made.dir, ".thehood/worktrees", runId)).toSorted()).toEqual([
      "work",
      "work.index",
      expect.stringMatching(/^work\.index\.[0-9a-f]{40}$/),
      "work.json",
    ]);
  });

  it("is byte-exact for binary, non-UTF-8, CRLF and files without a final newline", async () => {
    const worktree = await start();
    const contents: Record<string, Buffer> = {
      "latin1.txt": Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]),
      "binary.bin": Buffer.from([0, 1, 2, 255, 0, 10, 13]),
      "crlf.txt": Buffer.from("a\r\nb\r\n"),
      "bare.txt": Buffer.from("no newline"),
      "token.env.txt": Buffer.from("MAX_TOKENS=4096\n"),
      "empty.txt": Buffer.alloc(0),
    };
    for (const [path, bytes] of Object.entries(contents)) put(worktree, path, bytes);
    const capture = await captureChanges(worktree);
    for (const [path, bytes] of Object.entries(contents)) {
      const { stdout } = await git(repository, ["cat-file", "-p", `${capture.tree}:${path}`]);
      expect(stdout.equals(bytes), path).toBe(true);
    }
    expect(replay(capture.patch)).toBe(capture.tree);
  });

  it("keeps names that are not UTF-8 and names with newlines, quotes and spaces", async () => {
    const worktree = await start();
    const odd = Buffer.concat([Buffer.from(`${worktree.path}/`), Buffer.from([0x66, 0xe9, 0x2e, 0x74])]);
    writeFileSync(odd, "odd\n");
    put(worktree, 'q"uo\nte d.txt', "q\n");
    put(worktree, "\u65e5\u672c.md", "j\n");
    const capture = await captureChanges(worktree);
    expect(capture.changes).toHaveLength(3);
    expect(capture.flags.oddNames).toHaveLength(1);
    expect(replay(capture.patch)).toBe(capture.tree);
  });

  it("sees modes, links, and links that leave the repository", async () => {
    const worktree = await start();
    chmodSync(join(worktree.path, "run.sh"), 0o755);
    symlinkSync("/etc/passwd", join(worktree.path, "out"));
    symlinkSync("src/b.ts", join(worktree.path, "in"));
    symlinkSync("../../../x", join(worktree.path, "src", "up"));
    const { flags } = await captureChanges(worktree);
    expect(flags.modeChanges).toEqual(["run.sh"]);
    expect(flags.symlinks).toEqual([
      { path: "in", target: "src/b.ts", leavesRepository: false },
      { path: "out", target: "/etc/passwd", leavesRepository: true },
      { path: "src/up", target: "../../../x", leavesRepository: true },
    ]);
  });

  it("follows a folder that became a file, and a file that became a folder", async () => {
    const worktree = await start();
    rmSync(join(worktree.path, "src"), { recursive: true });
    put(worktree, "src", "now a file\n");
    unlinkSync(join(worktree.path, "a.txt"));
    mkdirSync(join(worktree.path, "a.txt"));
    put(worktree, "a.txt/inner.txt", "i\n");
    const capture = await captureChanges(worktree);
    expect(capture.changes.map((change) => `${change.status} ${change.path}`)).toEqual([
      "deleted a.txt",
      "added a.txt/inner.txt",
      "added src",
      "deleted src/b.ts",
      "deleted src/c.ts",
    ]);
    expect(replay(capture.patch)).toBe(capture.tree);
  });

  it("leaves ignored files, but takes what the worker added by force", async () => {
    const worktree = await start();
    put(worktree, "debug.log", "d\n");
    put(worktree, "forced.log", "f\n");
    plainGit(worktree.path, "add", "-f", "forced.log");
    put(worktree, "committed.log", "c\n");
    plainGit(worktree.path, "add", "-f", "committed.log");
    plainGit(worktree.path, "commit", "-qm", "log", "--", "committed.log");
    const capture = await captureChanges(worktree);
    expect(capture.changes.map((change) => change.path)).toEqual(["committed.log", "forced.log"]);
  });

  it("is not fooled by assume-unchanged, skip-worktree or a broken index of the worker", async () => {
    const worktree = await start();
    plainGit(worktree.path, "update-index", "--assume-unchanged", "a.txt");
    plainGit(worktree.path, "update-index", "--skip-worktree", "src/b.ts");
    put(worktree, "a.txt", "hidden\n");
    put(worktree, "src/b.ts", "hidden\n");
    expect(await paths(worktree)).toEqual(["modified a.txt", "modified src/b.ts"]);
    writeFileSync(join(worktree.record.adminDir, "index"), "garbage");
    expect(await paths(worktree)).toEqual(["modified a.txt", "modified src/b.ts"]);
  });

  it("is not fooled by a .git file that leads elsewhere, nor by one that is gone", async () => {
    const worktree = await start();
    put(worktree, "a.txt", "two\n");
    const other = makeRepository({ x: "x" });
    writeFileSync(join(worktree.path, ".git"), `gitdir: ${other.dir}/.git\n`);
    expect(await paths(worktree)).toEqual(["modified a.txt"]);
    unlinkSync(join(worktree.path, ".git"));
    expect(await paths(worktree)).toEqual(["modified a.txt"]);
    other.remove();
  });

  it("shows text as text although the worker declares it binary", async () => {
    const worktree = await start();
    put(worktree, ".gitattributes", "*.ts binary\n* -diff\n");
    put(worktree, "src/b.ts", "export const evil = 1;\n");
    const { patch } = await captureChanges(worktree);
    expect(patch.toString()).toContain("+export const evil = 1;");
  });

  it("takes the files of a repository the worker made inside, and says so", async () => {
    const worktree = await start();
    mkdirSync(join(worktree.path, "nested"));
    plainGit(join(worktree.path, "nested"), "init", "-q");
    put(worktree, "nested/file.txt", "n\n");
    plainGit(join(worktree.path, "nested"), "add", "-A");
    plainGit(join(worktree.path, "nested"), "commit", "-qm", "n");
    put(worktree, "nested/loose.txt", "l\n");
    const capture = await captureChanges(worktree);
    expect(capture.flags.embeddedRepositories).toEqual(["nested/"]);
    expect(capture.changes.map((change) => change.path)).toEqual(["nested/file.txt", "nested/loose.txt"]);
  });

  it("[R-30] notices hooks and config that a worker planted in the common git folder", async () => {
    const worktree = await start();
    writeFileSync(join(made.dir, ".git/hooks/pre-commit"), "#!/bin/sh\n", { mode: 0o755 });
    plainGit(worktree.path, "config", "core.editor", "evil");
    const { flags } = await captureChanges(worktree);
    expect(flags.gitDirTouched).toEqual(["config", "hooks/pre-commit"]);
  });

  it("refuses a worktree whose folder was swapped for a link", async () => {
    const worktree = await start();
    renameSync(worktree.path, `${worktree.path}.moved`);
    symlinkSync("/etc", worktree.path);
    await expect(captureChanges(worktree)).rejects.toThrow(/replaced/);
  });

  it("leaves files over the limit out and then does not remove the worktree", async () => {
    const worktree = await start();
    put(worktree, "large.bin", Buffer.alloc(5000));
    const capture = await captureChanges(worktree, { maxFileBytes: 4000 });
    expect(capture.flags.skipped).toEqual([{ path: "large.bin", bytes: 5000 }]);
    expect(capture.tree).toBe(capture.baseTree);
  });

  it("an edit within the same clock tick as the checkout is seen", async () => {
    for (let round = 0; round < 5; round++) {
      const worktree = await createWorktree(repository, { runId: `run_tick000${round}`, baseCommit: base });
      put(worktree, "a.txt", "owt\n");
      expect(await paths(worktree)).toEqual(["modified a.txt"]);
    }
  });
});

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
    expect(made.git("show", `${kept?.ref}^3:staged-only.txt`)).toBe("staged\n");
    expect(made.git("rev-parse", `${kept?.ref}^2`).trim()).toBe(head);
    expect(made.git("worktree", "list").trim().split("\n")).toHaveLength(1);
    made.git("reflog", "expire", "--expire=now", "--all");
    made.git("gc", "-q", "--prune=now");
    expect(made.git("show", `${kept?.ref}:untracked.txt`)).toBe("u\n");
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
    expect(made.git("rev-parse", `${kept?.ref}^2`).trim()).toBe(left);
    expect(made.git("show", `${left}:gone.txt`)).toBe("gone\n");
  });

  it("[R-30] files that the repository ignores are no part of the work, and are pinned before they go", async () => {
    const worktree = await start();
    put(worktree, "a.txt", "two\n");
    put(worktree, "notes.log", "kept\n");
    mkdirSync(join(worktree.path, "build"));
    put(worktree, "build/made.txt", "made by a tool\n");
    const captured = await captureChanges(worktree);
    expect(captured.changes.map(({ path }) => path)).toEqual(["a.txt"]);
    await pinCapture(worktree, captured);
    const { removed, kept } = await removeWorktree(worktree);
    expect(removed).toBe(true);
    expect(made.git("ls-tree", "-r", "--name-only", `${kept?.ref}^2`).trim()).toBe("notes.log");
    expect(made.git("show", `${kept?.ref}^2:notes.log`)).toBe("kept\n");
  });

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

  it("[R-43] a folder that somebody removed between two passes comes back with the work of the first", async () => {
    const worktree = await start();
    put(worktree, "a.txt", "first pass\n");
    put(worktree, "new.txt", "new\n");
    unlinkSync(join(worktree.path, "src/c.ts"));
    const first = await captureChanges(worktree);
    await pinCapture(worktree, first);
    rmSync(join(made.dir, ".thehood", "worktrees"), { recursive: true });
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
    expect((await listKept(repository)).map((work) => work.ref)).toEqual([first?.ref, other?.ref]);
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
      expect(there.includes(path)).toBe(content !== null);
      if (content !== null) expect(made.git("show", `${kept?.ref}:${path}`)).toBe(content);
      for (const ref of refs) made.git("update-ref", "-d", ref);
    }
  });

  it("a pin whose note a crash lost is found again; another's is left alone", async () => {
    const worktree = await start();
    put(worktree, "a.txt", "x\n");
    const first = await pinCapture(worktree, await captureChanges(worktree));
    const record = join(made.dir, ".thehood/worktrees", runId, "work.json");
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
    await expect(dropKept(repository, { ref: kept.ref, commit: base })).rejects.toThrow(
      /git update-ref failed/,
    );
    await expect(dropKept(repository, { ref: "refs/heads/main", commit: base })).rejects.toThrow(
      /not kept work/,
    );
    await dropKept(repository, kept);
    expect(await listKept(repository)).toEqual([]);
  });

  it("the end of a run leaves nothing, wherever a crash stopped the making or the removing", async () => {
    const folder = join(made.dir, ".thehood", "worktrees", runId);
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
    expect(await listKept(repository)).toHaveLength(1);
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

describe("[S-7] our folder in the repository", () => {
  it("is kept out of git's sight in a checkout, a linked worktree and a submodule", () => {
    expect(ensureExcluded(repository)).toBe("updated");
    expect(ensureExcluded(repository)).toBe("already_ignored");
    expect(ensureExcluded(undefined)).toBe("not_git_repo");
    writeFileSync(join(made.dir, ".git/info/exclude"), "# mine\n*.swp");
    expect(ensureExcluded(repository)).toBe("updated");
    expect(readFileSync(join(made.dir, ".git/info/exclude"), "utf8")).toBe(
      "# mine\n*.swp\n.thehood/\n.thehood-browser.json\n",
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

describe("facts about a repository", () => {
  it("tells head, branch, upstream, status and remotes without their secrets", async () => {
    const bare = makeRepository();
    made.git(
      "remote",
      "add",
      "origin",
      `https://user:${["pass", "word"].join("")}@example.com/x.git?token=1`,
    );
    made.git("remote", "add", "ssh", "git@example.com:x/y.git");
    made.git("remote", "add", "local", bare.dir);
    made.git("push", "-q", "local", "main:topic");
    made.git("branch", "--set-upstream-to=local/topic");
    made.write("new file.txt", "n");
    made.write("a.txt", "changed\n");
    made.git("add", "a.txt");
    const facts = await describeRepository(repository);
    expect(facts).toMatchObject({
      head: base,
      branch: "main",
      upstream: "local/topic",
      ahead: 0,
      behind: 0,
      clean: false,
    });
    expect(facts.remotes).toEqual([
      { name: "origin", url: "https://example.com/x.git" },
      { name: "ssh", url: "example.com:x/y.git" },
      { name: "local", url: bare.dir },
    ]);
    expect(facts.status).toEqual([
      { path: "a.txt", code: "M " },
      { path: "new file.txt", code: "??" },
    ]);
    made.git("checkout", "-q", "--detach");
    expect((await describeRepository(repository)).branch).toBeNull();
    bare.remove();
  });

  it.each([
    ["https://token@host/p", "https://host/p"],
    ["ssh://git@host:22/p", "ssh://host:22/p"],
    ["https://a:b@c@host/p#x", "https://host/p"],
    ["me:pw@host:path", "host:path"],
    ["/plain/path@v1", "/plain/path@v1"],
    ["../rel", "../rel"],
  ])("shows %s as %s", (url, shown) => expect(withoutUserinfo(url)).toBe(shown));
});
