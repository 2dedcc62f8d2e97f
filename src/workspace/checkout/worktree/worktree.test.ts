import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeRepository, plainGit } from "../../../../tests/support/repository.ts";
import { git } from "../../../platform/git/index.ts";
import { captureChanges, createWorktree, openWorktree } from "./index.ts";
import {
  base,
  made,
  paths,
  put,
  replay,
  repository,
  repositoryForEachTest,
  runId,
  start,
} from "../../../../tests/support/worktree-scene.ts";
import { canaryFile } from "../../../../tests/support/canary-file.ts";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";

repositoryForEachTest();

describe("[R-30] an isolated worktree", () => {
  it("is at the base commit, detached, is shown among the worktrees of the state, and the checkout stays clean", async () => {
    const worktree = await start();
    expect(worktree.path).toBe(join(made.dir, ".thehood-work", runId, "work"));
    expect(realpathSync(join(made.dir, ".git/thehood/worktrees", runId, "work"))).toBe(worktree.path);
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
    mkdirSync(join(made.dir, ".thehood-work", runId, "work"), { recursive: true });
    writeFileSync(join(made.dir, ".thehood-work", runId, "work", "junk"), "x");
    const worktree = await start();
    expect(existsSync(join(worktree.path, "junk"))).toBe(false);
    expect(await paths(worktree)).toEqual([]);
  });

  it("refuses names that are not a plain segment and a base that is not a commit", async () => {
    await expect(createWorktree(repository, { runId: "../x", baseCommit: base })).rejects.toThrow(/cannot name/);
    await expect(createWorktree(repository, { runId, baseCommit: "nope" })).rejects.toThrow(/not a commit/);
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
    expect(readdirSync(join(made.dir, ".git/thehood/worktrees", runId)).toSorted()).toEqual([
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
    const canary = canaryFile();
    symlinkSync(canary.path, join(worktree.path, "out"));
    symlinkSync("src/b.ts", join(worktree.path, "in"));
    symlinkSync("../../../x", join(worktree.path, "src", "up"));
    const { flags } = await captureChanges(worktree);
    expect(flags.modeChanges).toEqual(["run.sh"]);
    expect(flags.symlinks).toEqual([
      { path: "in", target: "src/b.ts", leavesRepository: false },
      { path: "out", target: canary.path, leavesRepository: true },
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

  it("[B-17] goes on in a folder that was put back from a backup: another number on the disk, the same place for git", async () => {
    const worktree = await start();
    put(worktree, "a.txt", "two\n");
    const copy = `${worktree.path}.copy`;
    cpSync(worktree.path, copy, { recursive: true });
    rmSync(worktree.path, { recursive: true });
    renameSync(copy, worktree.path);
    expect(statSync(worktree.path).ino).not.toBe(worktree.record.inode);
    expect(await paths(worktree)).toEqual(["modified a.txt"]);
  });

  it("refuses a worktree whose folder was swapped for a link", async () => {
    const worktree = await start();
    renameSync(worktree.path, `${worktree.path}.moved`);
    symlinkSync(tempFolder("elsewhere-"), worktree.path);
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
