// The work of git on a diff, by apply mode, in real repositories.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fence } from "./bench.ts";
import { scriptedBin } from "./built.ts";
import { canaryFile } from "../support/canary-file.ts";
import { app, ask, bench, first, good, newFile, untouched, useGitBench } from "./git-scene.ts";

useGitBench();

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

  it("is reported as mended by a run and by oracle apply alike", async () => {
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
