// What git does with a diff, by apply mode: real repositories, a bare remote, and everything that is refused up front.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Bench, fence } from "./bench.ts";
import { scriptedBin } from "./built.ts";
import { waitFor } from "./wait.ts";
import { canaryFile } from "../support/canary-file.ts";

const app = "const a = 1;\nconst b = 2;\nconst c = 3;\n";
const good = `diff --git a/src/app.js b/src/app.js
--- a/src/app.js
+++ b/src/app.js
@@ -1,3 +1,3 @@
 const a = 1;
-const b = 2;
+const b = 22;
 const c = 3;
`;
const newFile = (path: string, line = "fresh") =>
  `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+${line}\n`;

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

let bench: Bench;
let first: string;
beforeEach(() => {
  bench = new Bench().withRepository({ "src/app.js": app, "README.md": "hello\n", ".gitignore": "*.log\n" });
  first = bench.git("rev-parse", "HEAD");
  bench.double([{ answer: fence(good), html: "<pre>x</pre>" }]);
});
afterEach(() => bench.dispose());

const ask = (...flags: string[]) => bench.run(["-p", "change b to 22", ...flags]);
const unsent = () => expect(bench.sent).toEqual([]);
const untouched = () => {
  expect(bench.git("rev-parse", "HEAD")).toBe(first);
  expect(bench.read("src/app.js")).toBe(app);
};

describe("apply modes", () => {
  it("[T-18][T-20][T-27] commit applies and commits a correct fenced diff", async () => {
    const ran = await ask("--apply-mode", "commit", "--commit-message", "Make b 22");
    expect(ran.code, ran.stderr).toBe(0);
    expect(bench.session().result).toMatchObject({
      status: "success",
      diffFound: true,
      diffValidated: true,
      diffApplied: true,
      treeHoldsPatch: true,
      applyMode: "commit",
      branch: "main",
      commitSha: bench.git("rev-parse", "HEAD"),
      retryCount: 0,
      diffReason: null,
      diffBlocks: 1,
      diffScore: 10,
      pushed: false,
      patchBytes: good.length,
      gitVersion: execFileSync("git", ["--version"], { encoding: "utf8" }).trim().replace("git version ", ""),
    });
    expect(bench.read("src/app.js")).toBe(app.replace("2", "22"));
    expect(bench.git("log", "-1", "--format=%s|%an|%ae")).toBe("Make b 22|Test Person|test@example.invalid");
    expect(bench.git("rev-parse", "HEAD~1")).toBe(first);
    expect(bench.git("status", "--porcelain")).toBe("");
    expect(bench.remoteHead()).toBe(first);
  });

  it("[T-18] apply changes the tree and makes no commit", async () => {
    expect((await ask("--apply-mode", "apply")).code).toBe(0);
    expect(bench.session().result).toMatchObject({
      diffApplied: true,
      treeHoldsPatch: true,
      commitSha: null,
    });
    expect(bench.read("src/app.js")).toBe(app.replace("2", "22"));
    expect(bench.git("rev-parse", "HEAD")).toBe(first);
  });

  it("[T-18] check leaves everything as it is, and says so", async () => {
    expect((await ask("--apply-mode", "check")).code).toBe(0);
    expect(bench.session().result).toMatchObject({
      status: "success",
      diffApplied: false,
      treeHoldsPatch: false,
    });
    untouched();
  });

  it("[T-18] check reports a patch that does not fit with git's own words and exit 4", async () => {
    bench.double([{ answer: fence(good.replace("-const b = 2;", "-const b = 7;")) }]);
    expect((await ask("--apply-mode", "check")).code).toBe(4);
    const { result } = bench.session();
    expect(result).toMatchObject({
      status: "apply_failed",
      diffFound: true,
      diffValidated: true,
      diffApplied: false,
    });
    expect(result.gitApplyError).toContain("error: patch failed: src/app.js:1");
    expect(existsSync(result.diffPath ?? "")).toBe(true);
    untouched();
  });

  const strace = spawnSync("strace", ["-V"]).status === 0;
  it.skipIf(!strace)("[T-18] none writes the diff and never starts git (needs strace)", async () => {
    const trace = join(bench.dir, "trace");
    const args = [
      "-f",
      "-qq",
      "-e",
      "trace=execve",
      "-o",
      trace,
      process.execPath,
      scriptedBin,
      "-p",
      "x",
      "--apply-mode",
      "none",
    ];
    const ran = spawnSync("strace", args, { cwd: bench.repo, env: { ...bench.env, ORACLE_NO_DETACH: "1" } });
    expect(ran.status).toBe(0);
    const { result, dir } = bench.session();
    expect(result).toMatchObject({
      status: "success",
      diffApplied: false,
      diffValidated: true,
      branch: null,
    });
    expect(readFileSync(join(dir, "diff.patch"), "utf8")).toBe(good);
    expect(readFileSync(trace, "utf8").match(/execve\("[^"]*git[^"/]*"/g)).toBeNull();
    untouched();
  });

  it("[T-11] without diff flags there is no diff work, and an answer is a success", async () => {
    bench.double([{ answer: "No diff here." }]);
    const ran = await ask();
    expect(ran).toMatchObject({ code: 0, stdout: "No diff here.\n" });
    expect(bench.session().result).toMatchObject({
      diffFound: false,
      diffReason: null,
      diffBlocks: null,
      diffPath: null,
    });
  });

  it.each([
    ["--emit-diff-only"],
    ["--diff-output", "out.log"],
    ["--apply-mode", "none"],
    ["--strict-diff"],
    ["--retry-if-no-diff", "--max-retries", "0"],
  ])("[T-11] %s switches diff work on", async (...flags) => {
    bench.double([{ answer: "No diff here." }]);
    expect((await ask(...flags)).code).toBe(2);
    expect(bench.session().result).toMatchObject({
      status: "diff_missing",
      diffReason: "no_fenced_blocks",
      diffBlocks: 0,
    });
  });

  it("--emit-diff-only prints the checked diff and nothing else", async () => {
    const ran = await ask("--emit-diff-only");
    expect(ran).toMatchObject({ code: 0, stdout: good });
  });

  it("[T-15] strict mode refuses an absolute path", async () => {
    const { path } = canaryFile();
    const diff = good.replaceAll("a/src/app.js", path).replaceAll("b/src/app.js", path);
    bench.double([{ answer: fence(diff) }]);
    expect((await ask("--strict-diff", "--apply-mode", "apply")).code).toBe(2);
    expect(bench.session().result).toMatchObject({
      status: "invalid_diff",
      diffValidated: false,
      diffPath: null,
    });
    untouched();
  });

  it("[T-15] strict mode refuses traversal and drive prefixes, and a hunk header without numbers", async () => {
    for (const bad of ["a/../x", "a/C:/x", "a/C:\\x"]) {
      const path = bad.slice(2);
      bench.double([{ answer: fence(good.replaceAll("src/app.js", path)) }]);
      const ran = await bench.run(["-p", "x", "--strict-diff", "--json"]);
      expect(JSON.parse(ran.stdout), path).toMatchObject({ status: "invalid_diff", diffFound: true });
    }
    bench.double([{ answer: fence(`${good}@@ here @@\n x\n`) }]);
    expect(JSON.parse((await bench.run(["-p", "x", "--strict-diff", "--json"])).stdout)).toMatchObject({
      status: "invalid_diff",
    });
  });

  it("[T-16] a prefix with backslashes and a trailing slash covers its folder and nothing else", async () => {
    const flags = ["--restrict-path-prefix", "src\\", "--apply-mode", "apply"];
    expect((await ask(...flags)).code).toBe(0);
    bench.git("checkout", "-q", "--", ".");
    bench.double([{ answer: fence(good + newFile("other/x.txt")) }]);
    const ran = await bench.run(["-p", "x", ...flags, "--json"]);
    expect(ran.code).toBe(2);
    expect(JSON.parse(ran.stdout)).toMatchObject({ status: "invalid_diff", diffReason: "outside_prefix" });
    expect(existsSync(join(bench.repo, "other"))).toBe(false);
  });
});

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
    await refused(
      ["--apply-mode", "apply", "--git-root", join(bench.dir, "nowhere")],
      /not a git repository/,
    );
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

  it("a dirty checkout in commit mode, untracked files too", async () => {
    bench.write("notes.txt", "mine\n");
    await refused(["--apply-mode", "commit"], /not committed: notes\.txt/);
    rmSync(join(bench.repo, "notes.txt"));
    bench.write("ignored.log", "fine\n");
    expect((await ask("--apply-mode", "commit")).code).toBe(0);
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
    await refused(["--diff-output", join(bench.dir, "no/such/folder/x.patch")], /cannot be written/);
    await refused(["--json-output", "README.md"], /was not written by oracle/);
    await refused(["--write-output", bench.dir], /not a regular file/);
    expect(bench.read("README.md")).toBe("hello\n");
  });

  it("an output path in the work tree that commit mode would sweep into the commit", async () => {
    await refused(["--apply-mode", "commit", "--json-output", "result.json"], /would be committed/);
    const ran = await ask("--apply-mode", "commit", "--json-output", "result.log");
    expect(ran.code, ran.stderr).toBe(0);
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

describe("committing and pushing", () => {
  it("a branch that does not exist is made at HEAD for the commit", async () => {
    expect((await ask("--apply-mode", "commit", "--branch", "fix/b")).code).toBe(0);
    expect(bench.session().result.branch).toBe("fix/b");
    expect(bench.git("rev-parse", "fix/b~1")).toBe(first);
    expect(bench.git("rev-parse", "main")).toBe(first);
  });

  it("a repository without any commit gets its first one", async () => {
    rmSync(join(bench.repo, ".git"), { recursive: true });
    for (const path of ["src/app.js", "README.md", ".gitignore"]) rmSync(join(bench.repo, path));
    bench.git("init", "-q", "-b", "main");
    bench.double([{ answer: fence(newFile("hello.txt")) }]);
    const ran = await ask("--apply-mode", "commit");
    expect(ran.code, ran.stderr).toBe(0);
    expect(bench.git("show", "--name-only", "--format=%s", "HEAD")).toContain("hello.txt");
  });

  it("[T-22] --push brings the commit to the upstream, also when pushRemote says otherwise", async () => {
    const other = join(bench.dir, "other.git");
    execFileSync("git", ["init", "-q", "--bare", other]);
    bench.git("remote", "add", "fork", other);
    bench.git("config", "branch.main.pushRemote", "fork");
    const ran = await ask("--apply-mode", "commit", "--push");
    expect(ran.code, ran.stderr).toBe(0);
    expect(bench.session().result).toMatchObject({ pushed: true, gitPushError: null });
    expect(bench.remoteHead()).toBe(bench.git("rev-parse", "HEAD"));
    expect(readFileSync(join(other, "HEAD"), "utf8")).toContain("ref:");
    expect(existsSync(join(other, "refs/heads/main"))).toBe(false);
  });

  it("[T-22] a push that is refused is reported beside the commit and never forced", async () => {
    const clone = join(bench.dir, "clone");
    execFileSync("git", ["clone", "-q", bench.remote, clone]);
    writeFileSync(join(clone, "ahead.txt"), "x\n");
    const person = ["-c", "user.name=o", "-c", "user.email=o@example.invalid"];
    execFileSync("git", ["-C", clone, "add", "-A"]);
    execFileSync("git", ["-C", clone, ...person, "commit", "-qm", "ahead"]);
    execFileSync("git", ["-C", clone, "push", "-q"]);
    const ahead = bench.remoteHead();
    const ran = await ask("--apply-mode", "commit", "--push");
    // The commit is made, and a script that goes on from a push sees that there was none.
    expect(ran.code).toBe(1);
    const { result } = bench.session();
    expect(result).toMatchObject({ status: "error", error: { code: "git_failed" }, diffApplied: true });
    expect(result.pushed).toBe(false);
    expect(result.gitPushError).toMatch(/rejected|fetch first|non-fast-forward/);
    expect(result.commitSha).toBe(bench.git("rev-parse", "HEAD"));
    expect(bench.remoteHead()).toBe(ahead);
  });

  const committer = (body: string) => {
    const path = bench.write("scripts/committer", `#!/bin/sh\n${body}\n`);
    chmodSync(path, 0o755);
    bench.git("add", "-A");
    bench.git("commit", "-qm", "helper");
    first = bench.git("rev-parse", "HEAD");
  };

  it("[T-22] the repository's scripts/committer makes the commit where there is one", async () => {
    committer('msg=$1; shift; git reset -q; git add -A -- "$@"; git commit -q -m "helped: $msg"');
    const ran = await ask("--apply-mode", "commit", "--commit-message", "Make b 22");
    expect(ran.code, ran.stderr).toBe(0);
    expect(bench.git("log", "-1", "--format=%s|%an")).toBe("helped: Make b 22|Test Person");
    expect(bench.session().result.commitSha).toBe(bench.git("rev-parse", "HEAD"));
  });

  it("[T-21] a committer that refuses is commit_failed, and the tree still holds the patch", async () => {
    committer('echo "lint says no" >&2; exit 3');
    const ran = await ask("--apply-mode", "commit");
    expect(ran.code).toBe(5);
    const { result } = bench.session();
    expect(result).toMatchObject({
      status: "commit_failed",
      diffApplied: false,
      treeHoldsPatch: true,
      commitSha: null,
    });
    expect(result.gitCommitError).toContain("lint says no");
    expect(bench.git("rev-parse", "HEAD")).toBe(first);
  });

  it("a patch that changes the committer is not applied without a person's word", async () => {
    committer("exit 0");
    const evil =
      "diff --git a/scripts/committer b/scripts/committer\n--- a/scripts/committer\n+++ b/scripts/committer\n@@ -1,2 +1,2 @@\n #!/bin/sh\n-exit 0\n+touch /tmp/owned\n";
    bench.double([{ answer: fence(evil) }]);
    const ran = await ask("--apply-mode", "commit");
    expect(ran.code).toBe(4);
    expect(bench.session().result).toMatchObject({ status: "apply_failed", diffReason: "exec_config" });
    expect(bench.git("status", "--porcelain")).toBe("");
  });

  it("[T-20][T-21] a file that git ignores cannot be committed: commit_failed with gitCommitError", async () => {
    bench.double([{ answer: fence(good + newFile("run.log")) }]);
    expect((await ask("--apply-mode", "commit")).code).toBe(5);
    const { result } = bench.session();
    expect(result).toMatchObject({
      status: "commit_failed",
      diffApplied: false,
      treeHoldsPatch: true,
      commitSha: null,
    });
    expect(result.gitCommitError).toMatch(/run\.log/);
    expect(bench.git("rev-parse", "HEAD")).toBe(first);
    expect(bench.git("diff", "--cached", "--name-only")).toBe("");
  });

  it("[T-20] a failing git add is commit_failed with gitCommitError", async () => {
    writeFileSync(join(bench.repo, ".git/index.lock"), "");
    const ran = await ask("--apply-mode", "commit");
    const { result } = bench.session();
    expect(ran.code, JSON.stringify(result)).toBe(5);
    expect(result).toMatchObject({
      status: "commit_failed",
      diffApplied: false,
      treeHoldsPatch: true,
      commitSha: null,
    });
    expect(result.gitCommitError).toMatch(/git add failed[\s\S]*index\.lock/);
    expect(bench.git("rev-parse", "HEAD")).toBe(first);
  });

  it("a tree that became dirty while the answer was awaited is not touched", async () => {
    bench.double([{ answer: fence(good), until: bench.gate }]);
    const child = bench.start(["-p", "x", "--apply-mode", "commit"], { ORACLE_NO_DETACH: "1" });
    const ended = bench.ended(child);
    await waitFor(() => bench.sent.length > 0);
    bench.write("mine.txt", "work in progress\n");
    bench.open();
    expect((await ended).code).toBe(4);
    expect(bench.session().result).toMatchObject({ status: "apply_failed", diffReason: "dirty_target" });
    untouched();
    expect(bench.read("mine.txt")).toBe("work in progress\n");
  });

  it("hooks of the repository do not run, and a signing request does not hang", async () => {
    const hook = join(bench.repo, ".git/hooks/pre-commit");
    writeFileSync(hook, `#!/bin/sh\ntouch ${join(bench.dir, "hooked")}\nexit 1\n`);
    chmodSync(hook, 0o755);
    bench.git("config", "commit.gpgsign", "true");
    const ran = await ask("--apply-mode", "commit");
    expect(ran.code, ran.stderr).toBe(0);
    expect(existsSync(join(bench.dir, "hooked"))).toBe(false);
  });

  it("a CI workflow is changed only with --approve-path", async () => {
    const path = ".github/workflows/ci.yml";
    bench.double([{ answer: fence(newFile(path, "on: push")) }]);
    expect((await ask("--apply-mode", "apply")).code).toBe(4);
    expect(bench.session().result).toMatchObject({
      status: "apply_failed",
      diffReason: "exec_config",
      diffValidated: true,
    });
    expect(existsSync(join(bench.repo, ".github"))).toBe(false);
    expect((await ask("--apply-mode", "apply", "--approve-path", path)).code).toBe(0);
    expect(bench.read(path)).toBe("on: push\n");
  });
});

describe("the author of a commit", () => {
  it("[T-20] is the one that the repository knows, also by a condition in the user's own settings", async () => {
    delete bench.env["GIT_AUTHOR_NAME"];
    delete bench.env["GIT_AUTHOR_EMAIL"];
    const author = () => bench.git("log", "-1", "--format=%an <%ae>");
    bench.double([{ answer: fence(good) }, { answer: fence(good) }]);
    writeFileSync(
      join(bench.env["HOME"] ?? "", ".gitconfig"),
      `[user]\n\tname = Private\n\temail = p@example.invalid\n[includeIf "gitdir:${bench.repo}/"]\n\tpath = work.inc\n`,
    );
    writeFileSync(
      join(bench.env["HOME"] ?? "", "work.inc"),
      "[user]\n\tname = Work\n\temail = w@example.invalid\n",
    );
    expect((await ask("--apply-mode", "commit")).code).toBe(0);
    expect(author()).toBe("Work <w@example.invalid>");
    bench.git("reset", "-q", "--hard", first);
    bench.git("config", "user.name", "Here");
    bench.git("config", "user.email", "h@example.invalid");
    expect((await ask("--apply-mode", "commit")).code).toBe(0);
    expect(author()).toBe("Here <h@example.invalid>");
  });
});

describe("while the model thinks", () => {
  it("[T-22] a switch to another branch stops the commit and the push", async () => {
    bench.git("switch", "-q", "-c", "wip");
    bench.write("private.txt", "not for main\n");
    bench.git("add", "-A");
    bench.git("commit", "-q", "-m", "not for main");
    const wip = bench.git("rev-parse", "HEAD");
    bench.git("switch", "-q", "main");
    bench.double([{ answer: fence(good), until: bench.gate }]);
    const running = ask("--apply-mode", "commit", "--push");
    await waitFor(() => bench.sent.length === 1);
    bench.git("switch", "-q", "wip");
    bench.open();
    expect((await running).code).toBe(4);
    expect(bench.session().result).toMatchObject({ status: "apply_failed", pushed: false, commitSha: null });
    expect(bench.session().result.gitApplyError).toMatch(/main was checked out .* wip is now/);
    expect(bench.git("rev-parse", "HEAD")).toBe(wip);
    expect(bench.remoteHead()).toBe(first);
  });
});

describe("an answer that was cut inside a closed fence", () => {
  const cut =
    "diff --git a/src/app.js b/src/app.js\n--- a/src/app.js\n+++ b/src/app.js\n@@ -1,3 +1,6 @@\n const a = 1;\n+function wait() {\n";
  it("[T-15] is refused under --strict-diff, not mended into half a change", async () => {
    bench.double([{ answer: fence(cut) }]);
    expect((await ask("--apply-mode", "commit", "--strict-diff")).code).toBe(2);
    expect(bench.session().result).toMatchObject({
      status: "invalid_diff",
      diffReason: "hunk_count_mismatch",
    });
    untouched();
  });

  it("is told as mended by a run and by oracle apply alike", async () => {
    bench.double([{ answer: fence(cut) }]);
    const ran = await ask("--apply-mode", "check", "--json");
    const { warnings } = JSON.parse(ran.stdout) as { warnings: string[] };
    expect(warnings).toContain("hunk_counts");
    const from = join(bench.dir, "answer.md");
    writeFileSync(from, fence(cut));
    const again = await bench.run(["apply", from, "--json"]);
    expect((JSON.parse(again.stdout) as { warnings: string[] }).warnings).toEqual(warnings);
  });
});
