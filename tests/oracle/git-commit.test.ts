// Commits and pushes of `oracle`, with real repositories and a bare remote.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fence } from "./bench.ts";
import { waitFor } from "./wait.ts";
import { ask, bench, first, good, newFile, startHere, untouched, useGitBench } from "./git-scene.ts";

useGitBench();

describe("committing and pushing", () => {
  it("a branch that does not exist is made at HEAD for the commit", async () => {
    expect((await ask("--apply-mode", "commit", "--branch", "fix/b")).code).toBe(0);
    expect(bench.session().result.branch).toBe("fix/b");
    expect(bench.git("rev-parse", "fix/b~1")).toBe(first);
    expect(bench.git("rev-parse", "main")).toBe(first);
  });

  it("a git that a repository has put first on the path is never started", async () => {
    const planted = join(bench.repo, "node_modules/.bin");
    const ran = join(bench.dir, "planted-ran");
    mkdirSync(planted, { recursive: true });
    writeFileSync(join(planted, "git"), `#!/bin/sh\necho "$@" >> ${ran}\nexec /usr/bin/git "$@"\n`, {
      mode: 0o755,
    });
    writeFileSync(join(bench.repo, ".git/info/exclude"), "node_modules\n");
    bench.env["PATH"] = `${planted}:${bench.env["PATH"]}`;
    expect((await ask("--apply-mode", "commit", "--push")).code).toBe(0);
    expect((await bench.run(["doctor"])).stdout).toContain("git version");
    expect(existsSync(ran) ? readFileSync(ran, "utf8") : "").toBe("");
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

  it("hooks of the user do not run, and the result names those that would have", async () => {
    const hook = (name: string, mode: number) =>
      writeFileSync(join(bench.repo, ".git/hooks", name), `#!/bin/sh\ntouch ${bench.dir}/ran\nexit 1\n`, { mode });
    mkdirSync(join(bench.repo, ".git/hooks"), { recursive: true });
    hook("pre-commit", 0o755);
    hook("pre-push", 0o755);
    hook("commit-msg", 0o644);
    expect((await ask("--apply-mode", "commit", "--push")).code).toBe(0);
    expect(existsSync(join(bench.dir, "ran"))).toBe(false);
    expect(bench.session().result.warnings).toContain(
      "hooks of this repository that did not run: pre-commit, pre-push",
    );
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
    startHere();
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

  it("[T-22] a patch that changes a script of the committer is not applied without a person's word", async () => {
    bench.write("tools/lint.sh", "#!/bin/sh\necho fine\n");
    committer('sh "$(dirname "$0")/../tools/lint.sh"');
    const evil = newFile("tools/lint.sh").replace(
      /new file[\s\S]*/,
      "--- a/tools/lint.sh\n+++ b/tools/lint.sh\n@@ -1,2 +1,2 @@\n #!/bin/sh\n-echo fine\n+touch /tmp/owned\n",
    );
    bench.double([{ answer: fence(evil) }]);
    expect((await ask("--apply-mode", "commit")).code).toBe(4);
    const { result } = bench.session();
    expect(result).toMatchObject({ status: "apply_failed", diffReason: "exec_config" });
    expect(result.gitApplyError).toContain("--approve-path tools/lint.sh");
    expect(result.approvalPath).toBe("tools/lint.sh");
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
    bench.write("README.md", "work in progress\n");
    bench.open();
    expect((await ended).code).toBe(4);
    expect(bench.session().result).toMatchObject({ status: "apply_failed", diffReason: "dirty_target" });
    untouched();
    expect(bench.read("README.md")).toBe("work in progress\n");
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
    writeFileSync(join(bench.env["HOME"] ?? "", "work.inc"), "[user]\n\tname = Work\n\temail = w@example.invalid\n");
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
