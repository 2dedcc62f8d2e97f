import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { plainGit } from "../../../tests/support/repository.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { FailureError } from "../../core/contract/index.ts";
import { gitProgram } from "./environment.ts";
import { findRepository, git, gitSync, requireRepository, useGitProgram } from "./index.ts";

let dir = "";
const plain = (...args: string[]) => plainGit(dir, ...args);

beforeEach(() => {
  dir = tempFolder("git-door-");
  plain("init", "-q", "-b", "main");
  writeFileSync(join(dir, "a.txt"), "one\n");
  plain("add", "-A");
  plain("commit", "-q", "-m", "first");
});

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof FailureError) return error.failure.code;
    throw error;
  }
  return "ok";
}

/** Processes that work in a folder; none where the system does not tell. */
function processesIn(folder: string): string[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && workingFolder(pid) === folder);
}

function workingFolder(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch (error) {
    if (["ENOENT", "EACCES", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}

describe("the hardened git door", () => {
  it("answers bytes, from any folder of the work tree", async () => {
    mkdirSync(join(dir, "deep"));
    const repository = requireRepository(join(dir, "deep"));
    expect(repository).toEqual({ top: dir, gitDir: join(dir, ".git"), commonDir: join(dir, ".git") });
    const { stdout } = await git(repository, ["cat-file", "-p", "HEAD:a.txt"]);
    expect(stdout.equals(Buffer.from("one\n"))).toBe(true);
    expect(gitSync(repository, ["status", "-z", "--porcelain=v1"]).stdout.length).toBe(0);
  });

  it("finds no repository outside of one and says what to do", () => {
    const outside = tempFolder("no-git-");
    expect(findRepository(outside)).toBeUndefined();
    expect(() => requireRepository(outside)).toThrow(/not inside a git work tree/);
  });

  it("follows a .git file, as a linked worktree has it", async () => {
    plain("worktree", "add", "-q", "--detach", join(dir, "wt"));
    const repository = requireRepository(join(dir, "wt"));
    expect(repository.commonDir).toBe(join(dir, ".git"));
    expect(repository.gitDir).toBe(join(dir, ".git", "worktrees", "wt"));
    const { stdout } = await git(repository, ["rev-parse", "--verify", "HEAD"]);
    expect(stdout.toString()).toMatch(/^[0-9a-f]{40}\n$/);
  });

  it("runs no filter, no hook, no fsmonitor and no external diff of the repository", async () => {
    const canary = join(dir, ".git", "canary");
    const fire = `touch '${canary}'; cat`;
    for (const key of [
      "filter.x.clean",
      "filter.x.smudge",
      "diff.external",
      "diff.x.command",
      "diff.x.textconv",
      "core.fsmonitor",
      "core.pager",
      "core.editor",
    ])
      plain("config", key, fire);
    writeFileSync(join(dir, ".gitattributes"), "* filter=x diff=x\n");
    for (const hook of ["pre-commit", "post-commit", "reference-transaction", "post-index-change", "post-checkout"])
      writeFileSync(join(dir, ".git", "hooks", hook), `#!/bin/sh\ntouch '${canary}'\n`, { mode: 0o755 });
    const repository = requireRepository(dir);
    writeFileSync(join(dir, "a.txt"), "two\n");
    await git(repository, ["status", "-z", "--porcelain=v1"]);
    await git(repository, ["diff", "-p"]);
    await git(repository, ["add", "-A"]);
    await git(repository, ["commit", "-F", "-"], { stdin: "second\n" });
    await git(repository, ["log", "-p", "--max-count=2"]);
    await git(repository, ["worktree", "add", "--detach", join(dir, "wt")]);
    expect(existsSync(canary)).toBe(false);
    expect(existsSync(join(dir, "wt", "a.txt"))).toBe(true);
  });

  it("switches off a filter that an included file names", async () => {
    const canary = join(dir, ".git", "canary");
    writeFileSync(join(dir, ".git", "more"), `[filter "x=y"]\n\tclean = touch '${canary}'; cat\n`);
    plain("config", "include.path", "more");
    writeFileSync(join(dir, ".gitattributes"), "* filter=x=y\n");
    writeFileSync(join(dir, "a.txt"), "two\n");
    await git(requireRepository(dir), ["add", "-A"]);
    expect(existsSync(canary)).toBe(false);
  });

  it.each([Buffer.from([0xff]), "~root/x", "%(prefix)/x", "/dev/zero", "."])(
    "refuses an included file that it cannot follow as git would: %j",
    async (name) => {
      const bytes = [Buffer.from("[include]\n\tpath = "), Buffer.from(name), Buffer.from("\n")];
      appendFileSync(join(dir, ".git", "config"), Buffer.concat(bytes));
      expect(await codeOf(git(requireRepository(dir), ["status", "-z", "--porcelain=v1"]))).toBe("unsafe_repository");
    },
  );

  it("refuses a configuration that it cannot read", async () => {
    writeFileSync(join(dir, ".git", "config"), "[core\n");
    expect(await codeOf(git(requireRepository(dir), ["status", "-z", "--porcelain=v1"]))).toBe("unsafe_repository");
  });

  it.each([
    [["apply", "--reject"]],
    [["apply", "--unsafe-paths"]],
    [["apply", "--rej"]],
    [["push", "origin"]],
    [["add", "--force"]],
    [["worktree", "remove", "x"]],
    [["config", "core.editor", "x"]],
    [["-c", "core.editor=x", "status"]],
    [["cat-file", "--filters", "HEAD:a.txt"]],
    [["diff", "--ext-diff"]],
    [["status", "a\0b"]],
  ])("cannot be made to say git %j", async (args) => {
    await expect(git(requireRepository(dir), args)).rejects.toThrow(TypeError);
  });

  it("reports a failing git with its own words", async () => {
    expect(await codeOf(git(requireRepository(dir), ["cat-file", "-p", "HEAD:none"]))).toBe("git_failed");
    const { exitCode } = await git(requireRepository(dir), ["rev-parse", "--verify", "--quiet", "none"], {
      accept: [0, 1],
    });
    expect(exitCode).toBe(1);
  });

  it("ends at its deadline and when it is aborted, and leaves no process behind", async () => {
    // git reads this file at every status, and no process ever writes to the pipe.
    rmSync(join(dir, ".git", "info", "exclude"), { force: true });
    execFileSync("mkfifo", [join(dir, ".git", "info", "exclude")]);
    const repository = requireRepository(dir);
    const status = ["status", "-z", "--porcelain=v1"];
    expect(await codeOf(git(repository, status, { timeoutMs: 200 }))).toBe("timeout");
    expect(await codeOf(git(repository, status, { signal: AbortSignal.timeout(200) }))).toBe("interrupted");
    expect(await codeOf(git(repository, status, { signal: AbortSignal.abort() }))).toBe("interrupted");
    expect(() => gitSync(repository, status, { timeoutMs: 200 })).toThrow(/did not finish/);
    expect(processesIn(dir)).toEqual([]);
  });

  it("ends at its output limit", async () => {
    const repository = requireRepository(dir);
    expect(await codeOf(git(repository, ["cat-file", "-p", "HEAD:a.txt"], { maxBytes: 2 }))).toBe("git_failed");
    expect(() => gitSync(repository, ["cat-file", "-p", "HEAD:a.txt"], { maxBytes: 2 })).toThrow(/more than 2 bytes/);
  });

  it("does not work with a git that would ignore what keeps it from running things", async () => {
    const usual = gitProgram();
    const old = join(dir, "old-git");
    const refuse = `case "$a" in --config-env*) echo "unknown option: $a" >&2; exit 129;; esac`;
    writeFileSync(old, `#!/bin/sh\nfor a; do ${refuse}; done\nexec '${usual}' "$@"\n`, { mode: 0o755 });
    useGitProgram(old);
    try {
      const repository = requireRepository(dir);
      await expect(git(repository, ["status", "-z"])).rejects.toThrow(/too old/);
      expect(() => gitSync(repository, ["status", "-z"])).toThrow(/too old/);
    } finally {
      useGitProgram(usual);
    }
    expect((await git(requireRepository(dir), ["status", "-z"])).exitCode).toBe(0);
  });
});
