// States of a repository and options that are refused before anything is sent.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fence } from "./bench.ts";
import {
  app,
  ask,
  bench,
  first,
  good,
  newFile,
  sha256,
  startHere,
  unsent,
  untouched,
  useGitBench,
} from "./git-scene.ts";

useGitBench();

describe("what is refused before anything is sent", () => {
  const refused = async (flags: string[], message: RegExp, code = 1) => {
    const ran = await ask(...flags);
    expect(ran.code).toBe(code);
    expect(ran.stderr).toMatch(message);
    unsent();
    untouched();
  };

  it("[T-19] a git root that is no repository, and there is a result", async () => {
    const elsewhere = join(bench.dir, "plain");
    mkdirSync(elsewhere);
    await refused(["--apply-mode", "check", "--git-root", elsewhere], /not a git repository/);
    expect(bench.session().result).toMatchObject({
      status: "error",
      error: { code: "not_a_repository" },
      applyMode: "check",
    });
  });

  it("[T-19] a git root that does not exist, or is inside a repository but not its top", async () => {
    await refused(["--apply-mode", "apply", "--git-root", join(bench.dir, "nowhere")], /not a git repository/);
    await refused(["--apply-mode", "apply", "--git-root", "src"], /not the top of its repository/);
  });

  it("[T-19] a linked work tree, whose .git is a file, is a repository", async () => {
    const tree = join(bench.dir, "linked");
    bench.git("worktree", "add", "-q", "-b", "side", tree);
    const ran = await bench.run(["-p", "x", "--apply-mode", "commit", "--git-root", tree], {
      cwd: bench.dir,
    });
    expect(ran.code, ran.stderr).toBe(0);
    expect(bench.session().result).toMatchObject({
      branch: "side",
      commitSha: bench.git("rev-parse", "side"),
    });
    untouched();
  });

  it("[B-17] but not for a patch that a killed run left before its commit: it is committed, and no other beside it", async () => {
    const file = join(bench.repo, "answer.log");
    writeFileSync(file, fence(good));
    // The way of a run that dies between the two steps: the tree holds the patch, and the note of the commit is there.
    const noted = { paths: ["src/app.js"], head: first, patchSha256: sha256(good) };
    const state = join(bench.repo, ".git", "thehood", "apply");
    mkdirSync(state, { recursive: true });
    writeFileSync(join(state, "commit.json"), JSON.stringify(noted));
    writeFileSync(join(bench.repo, "src/app.js"), app.replace("2", "22"));
    const other = await bench.run(["apply", "-", "--apply-mode", "commit"], {
      stdin: fence(newFile("x.txt")),
    });
    expect(other.code).not.toBe(0);
    expect(bench.git("rev-parse", "HEAD")).toBe(first);
    const ran = await bench.run(["apply", file, "--apply-mode", "commit"]);
    expect(ran.code, ran.stderr).toBe(0);
    expect(bench.git("show", "HEAD:src/app.js")).toBe(app.replace("2", "22").trimEnd());
    expect(existsSync(join(state, "commit.json"))).toBe(false);
  });

  it("a tracked file that was changed, in commit mode", async () => {
    bench.write("README.md", "mine\n");
    await refused(["--apply-mode", "commit"], /not committed: README\.md/);
    bench.git("checkout", "-q", "--", ".");
  });

  it("[T-20] but not an untracked file: the commit holds the diff, and the file stays", async () => {
    bench.write("notes.txt", "mine\n");
    const ran = await ask("--apply-mode", "commit", "--json-output", "result.json");
    expect(ran.code, ran.stderr).toBe(0);
    expect(bench.git("show", "--name-only", "--format=", "HEAD")).toBe("src/app.js");
    expect(bench.git("status", "--porcelain").split("\n")).toEqual(["?? notes.txt", "?? result.json"]);
  });

  it("--push without an upstream, on a detached HEAD, or without commit mode", async () => {
    await refused(["--apply-mode", "apply", "--push"], /--push needs --apply-mode commit/);
    bench.git("checkout", "-q", "-b", "lonely");
    await refused(["--apply-mode", "commit", "--push"], /lonely has no upstream/);
    bench.git("checkout", "-q", "--detach");
    await refused(["--apply-mode", "commit", "--push"], /HEAD is detached/);
  });

  it("an unknown apply mode, with the known ones named, before there is a session", async () => {
    await refused(["--apply-mode", "force"], /none, check, apply, commit/);
    expect(bench.sessionIds).toEqual([]);
  });

  it("an output path that cannot be written, or that holds something of the user's", async () => {
    await refused(["--diff-output", join(bench.repo, "README.md/x.patch")], /cannot be written/);
    await refused(["--json-output", "README.md"], /was not written by oracle/);
    await refused(["--write-output", bench.dir], /not a regular file/);
    expect(bench.read("README.md")).toBe("hello\n");
  });

  it("makes the folder that an output path names, and its parents", async () => {
    const path = join(bench.dir, "no/such/folder/x.patch");
    const ran = await ask("--diff-output", path);
    expect(ran.code, ran.stderr).toBe(0);
    expect(readFileSync(path, "utf8")).toContain("diff --git");
  });

  it("an output path that is a tracked file, in commit mode", async () => {
    bench.write("kept.json", "{}\n");
    bench.git("add", "-A");
    bench.git("commit", "-qm", "kept");
    startHere();
    await refused(["--apply-mode", "commit", "--json-output", "kept.json"], /kept\.json/);
  });

  it("a merge in progress", async () => {
    bench.git("checkout", "-q", "-b", "side");
    bench.write("src/app.js", "other\n");
    bench.git("commit", "-qam", "side");
    bench.git("checkout", "-q", "main");
    bench.git("merge", "-q", "--no-ff", "--no-commit", "side");
    bench.git("reset", "-q", "--", ".");
    bench.git("checkout", "-q", "--", ".");
    writeFileSync(join(bench.repo, ".git/MERGE_HEAD"), `${bench.git("rev-parse", "side")}\n`);
    const ran = await ask("--apply-mode", "commit");
    expect(ran.stderr).toMatch(/in the middle of something \(MERGE_HEAD\)/);
    unsent();
  });

  it("a branch that exists but is not checked out, or whose name is none", async () => {
    bench.git("branch", "other");
    await refused(["--apply-mode", "commit", "--branch", "other"], /main is checked out/);
    await refused(["--apply-mode", "commit", "--branch", "a..b"], /cannot be the name of a branch/);
  });
});
