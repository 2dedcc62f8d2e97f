// A run that is stopped between its patch and its commit, and a follow-up in the user's words.
import { chmodSync, existsSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Bench, fence } from "./bench.ts";
import { waitFor } from "./wait.ts";

const diff = "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n";
const secret = ["ghp", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].join("_");

let bench: Bench;
beforeEach(() => {
  bench = new Bench().withRepository({
    "a.txt": "one\n",
    "scripts/committer": "#!/bin/sh\ntouch .git/waiting\nexec sleep 60\n",
  });
});
afterEach(() => bench.dispose());

describe("a run that is stopped", () => {
  it("[T-21] while it commits is commit_failed, and says that the tree holds the patch", async () => {
    chmodSync(`${bench.repo}/scripts/committer`, 0o755);
    bench.git("add", "-A");
    bench.git("commit", "-qm", "may be run");
    const first = bench.git("rev-parse", "HEAD");
    bench.double([{ answer: fence(diff) }]);
    const running = bench.start(["-p", "change it", "--apply-mode", "commit"], { ORACLE_NO_DETACH: "1" });
    const ended = bench.ended(running);
    await waitFor(() => existsSync(`${bench.repo}/.git/waiting`), "the helper's start");
    running.kill("SIGINT");
    expect((await ended).code).toBe(5);
    const { result } = bench.session();
    expect(result).toMatchObject({
      status: "commit_failed",
      diffApplied: false,
      treeHoldsPatch: true,
      commitSha: null,
    });
    expect(bench.read("a.txt")).toBe("two\n");
    expect(bench.git("rev-parse", "HEAD")).toBe(first);
  });
});

describe("a follow-up in the user's words", () => {
  it("[T-24] is sent without its secrets", async () => {
    bench.double([{ answer: "no diff here" }, { answer: fence(diff) }]);
    const ran = await bench.run([
      "-p",
      "change it",
      "--retry-if-no-diff",
      "--followup-prompt",
      `only the diff, with ${secret}`,
    ]);
    expect(ran.code, ran.stderr).toBe(0);
    expect(bench.sent[1]?.["prompt"]).toContain("only the diff, with ***REDACTED***");
    expect(JSON.stringify(bench.sent)).not.toContain(secret);
  });
});
