import { existsSync, lstatSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { StubEdit } from "../../src/agents/index.ts";
import { cleanUp, fix, git, project, put, quickCheck, sample, start, unchecked } from "./harness.ts";
import { canaryFile } from "../support/canary-file.ts";

afterEach(cleanUp);

/** One worker pass on autopilot. */
const worked = async (edits: StubEdit[], more: Parameters<typeof start>[0] = {}) =>
  (
    await start({
      policy: { ...unchecked, approvals: "autopilot" },
      script: { roles: { implementer: [{ edits }] } },
      ...more,
    })
  ).drive();

describe("a worker's work arrives whole and byte for byte", () => {
  it("[R-3] what looks like a secret is not rewritten on its way: the applied bytes are the captured bytes", async () => {
    const text = "MAX_TOKENS=4096\npassword_field = 'name'\n";
    const run = await worked([fix, { op: "write", path: "config.ini", text }], { policy: { approvals: "autopilot" } });
    // No check reads the new file: that is a doubt, and a doubt about changed values asks once.
    expect(run.gate.doubts?.map(({ place }) => place)).toEqual(["config.ini:1"]);
    await run.answer("approve");
    await run.drive();
    expect(run.state, run.story()).toBe("completed");
    expect(run.file("config.ini")).toBe(text);
    const [captured] = run.events("isolated_patch_captured");
    const [applied] = run.events("patch_applied");
    expect(applied?.integration.patchSha256).toBe(captured?.patch?.patchSha256);
  });

  it("[S-3] a real secret in a patch is a gate, not an edit", async () => {
    const secret = ["ghp", "_"].join("") + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";
    const run = await worked([fix, { op: "write", path: "config.js", text: `export const key = "${secret}";\n` }]);
    expect(run.state, run.story()).toBe("awaiting_approval");
    expect(run.gate.kind).toBe("isolated_patch_application");
    expect(run.gate.subject.text).toMatch(/secret/i);
    await run.answer("approve");
    await run.drive();
    expect(run.file("config.js")).toContain(secret);
  });

  it("[R-30] what a worker commits is in the patch", async () => {
    const run = await worked([fix, { op: "commit", message: "my work" }]);
    expect(run.state, run.story()).toBe("completed");
    expect(run.file("src/add.js")).toContain("a + b");
    expect(git(run.dir, "log", "--format=%s")).toBe("base");
  });

  it("[R-30] what a worker stages is in the patch", async () => {
    const run = await worked([fix, { op: "stage" }]);
    expect(run.state, run.story()).toBe("completed");
    expect(run.file("src/add.js")).toContain("a + b");
  });

  it("[R-30] committed, staged, unstaged and untracked work are one patch", async () => {
    const run = await worked([
      { op: "write", path: "one.txt", text: "committed\n" },
      { op: "commit", message: "one" },
      { op: "write", path: "two.txt", text: "staged\n" },
      { op: "stage" },
      fix,
      { op: "write", path: "deep/three.txt", text: "untracked\n" },
      { op: "delete", path: "README.md" },
    ]);
    expect(run.state, run.story()).toBe("completed");
    expect([run.file("one.txt"), run.file("two.txt"), run.file("deep/three.txt")]).toEqual([
      "committed\n",
      "staged\n",
      "untracked\n",
    ]);
    expect(existsSync(join(run.dir, "README.md"))).toBe(false);
    expect(run.file("src/add.js")).toContain("a + b");
  });

  it("an empty patch after the worker said changed is a finding", async () => {
    const run = await worked([]);
    expect(run.events("finding_recorded").map(({ finding }) => finding.kind)).toContain("empty_patch_after_changed");
  });

  it("[R-3] text that is not UTF-8, binary files, modes and odd names arrive as they were", async () => {
    const latin = Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]);
    const binary = Buffer.from([0, 1, 2, 255, 254, 0, 10, 13]);
    const run = await worked([
      fix,
      { op: "write", path: "latin.txt", base64: latin.toString("base64") },
      { op: "write", path: "blob.bin", base64: binary.toString("base64") },
      { op: "write", path: "tool.sh", text: "#!/bin/sh\n", mode: "755" },
      { op: "write", path: "dir with space/né\u0301.txt", text: "no newline at the end" },
      { op: "write", path: "crlf.txt", text: "a\r\nb\r\n" },
    ]);
    expect(run.state, run.story()).toBe("completed");
    expect(readFileSync(join(run.dir, "latin.txt"))).toEqual(latin);
    expect(readFileSync(join(run.dir, "blob.bin"))).toEqual(binary);
    expect(statSync(join(run.dir, "tool.sh")).mode & 0o111).not.toBe(0);
    expect(run.file("dir with space/né\u0301.txt")).toBe("no newline at the end");
    expect(run.file("crlf.txt")).toBe("a\r\nb\r\n");
  });

  it("[S-6] a link that leaves the repository never reaches the checkout", async () => {
    const canary = canaryFile();
    const run = await worked([fix, { op: "symlink", path: "hosts", target: canary.path }], {
      policy: { ...unchecked, approvals: "autopilot", budgets: { maxRevisions: 0 } },
    });
    expect(run.state, run.story()).not.toBe("completed");
    expect(lstatSync(join(run.dir, "hosts"), { throwIfNoEntry: false })).toBeUndefined();
    expect(canary.isUntouched()).toBe(true);
    expect(run.file("src/add.js")).toContain("a - b");
  });

  it("[R-62] a worker cannot bring policy for the runtime, and every path it touched is shown", async () => {
    const config = JSON.stringify({ version: 1, policy: { approvals: "autopilot" } });
    const run = await start({
      policy: { ...unchecked, budgets: { maxRevisions: 0 } },
      script: {
        roles: {
          implementer: [
            {
              edits: [
                fix,
                { op: "write", path: ".thehood/config.json", text: config },
                { op: "write", path: ".gitignore", text: "nothing\n" },
              ],
            },
          ],
        },
      },
    });
    await run.drive("implementation_start");
    expect(existsSync(join(run.dir, ".thehood/config.json"))).toBe(false);
    expect(run.events("approval_auto_approved")).toEqual([]);
    const [prepared] = run.events("integration_patch_prepared");
    expect(prepared?.judgement.paths).toEqual([".gitignore", "src/add.js"]);
  });

  it("[R-30] a hook planted in the shared git folder is found, removed, and the worker has failed", async () => {
    const run = await worked([fix, { op: "hook", name: "post-checkout", text: "#!/bin/sh\ntouch /tmp/owned\n" }]);
    expect(run.state, run.story()).toBe("failed");
    expect(existsSync(join(run.dir, ".git/hooks/post-checkout"))).toBe(false);
    expect(run.events("agent_response").at(-1)?.outcome).toMatchObject({
      result: "failed",
      why: expect.stringContaining("hooks/post-checkout"),
    });
    expect(run.file("src/add.js")).toContain("a - b");
  });

  it("[R-30] so is configuration that would start a program", async () => {
    const run = await worked([fix, { op: "config", key: "core.fsmonitor", value: "./evil" }]);
    expect(run.state, run.story()).toBe("failed");
    expect(readFileSync(join(run.dir, ".git/config"), "utf8")).not.toContain("fsmonitor");
  });

  it("[S-6] what a diff shows too quietly waits for a person, also on autopilot: ignored files, modes", async () => {
    const dir = project({ ...sample, ".gitignore": "*.log\n" });
    const ignored = await worked(
      [fix, { op: "write", path: "debug.log", text: "x\n" }, { op: "force-add", path: "debug.log" }],
      { dir },
    );
    expect(ignored.gate, ignored.story()).toMatchObject({ kind: "isolated_patch_application" });
    expect(ignored.gate.subject.text).toContain("debug.log is ignored");
    const mode = await worked([fix, { op: "chmod", path: "README.md", mode: "755" }]);
    expect(mode.gate.subject.text).toContain("The mode of README.md changes");
  });

  it("a diff in the answer takes the same way as edits", async () => {
    const patch =
      "diff --git a/src/add.js b/src/add.js\n--- a/src/add.js\n+++ b/src/add.js\n@@ -1 +1 @@\n-export const add = (a, b) => a - b;\n+export const add = (a, b) => a + b;\n";
    const run = await (
      await start({
        policy: { ...unchecked, approvals: "autopilot" },
        script: { roles: { implementer: [{ patch }] } },
      })
    ).drive();
    expect(run.state, run.story()).toBe("completed");
    expect(run.file("src/add.js")).toContain("a + b");
  });
});

describe("the user's checkout is safe", () => {
  it("[R-31] a dirty file in the way blocks, and nothing of the user's is touched", async () => {
    const dir = project();
    put(dir, "src/add.js", "// my own unfinished edit\n");
    put(dir, "mine.txt", "untracked\n");
    const run = await worked([fix], { dir });
    expect(run.gate.kind, run.story()).toBe("dirty_checkout_before_patch");
    expect(run.file("src/add.js")).toBe("// my own unfinished edit\n");
    git(dir, "checkout", "-q", "--", "src/add.js");
    await run.answer("approve");
    await run.drive();
    expect(run.state, run.story()).toBe("completed");
    expect(run.file("mine.txt")).toBe("untracked\n");
    expect(run.file("src/add.js")).toContain("a + b");
  });

  it("[R-31] a staged edit blocks as well, although the file looks untouched, and stays staged", async () => {
    const dir = project();
    const old = readFileSync(join(dir, "src/add.js"), "utf8");
    put(dir, "src/add.js", "// staged by hand\n");
    git(dir, "add", "src/add.js");
    put(dir, "src/add.js", old);
    const run = await worked([fix], { dir });
    expect(run.gate.kind, run.story()).toBe("dirty_checkout_before_patch");
    expect(run.file("src/add.js")).toBe(old);
    expect(git(dir, "show", ":src/add.js")).toBe("// staged by hand");
  });

  it("[R-31] dirt elsewhere is left alone and blocks nothing", async () => {
    const dir = project();
    put(dir, "README.md", "my words\n");
    const run = await worked([fix], { dir });
    expect(run.state, run.story()).toBe("completed");
    expect(run.file("README.md")).toBe("my words\n");
  });

  it("[R-31] an untracked file where the patch would create one blocks as well", async () => {
    const dir = project();
    put(dir, "new.txt", "mine\n");
    const run = await worked([fix, { op: "write", path: "new.txt", text: "the worker's\n" }], { dir });
    expect(run.gate.kind, run.story()).toBe("dirty_checkout_before_patch");
    expect(run.file("new.txt")).toBe("mine\n");
    expect(run.file("src/add.js")).toContain("a - b");
  });

  it("[R-32] a protected change stops for its own approval, and says which paths", async () => {
    const run = await worked([fix, { op: "append", path: "test/add.test.js", text: "// changed\n" }]);
    const kinds: string[] = [];
    for (let round = 0; run.state === "awaiting_approval" && round < 5; round += 1) {
      kinds.push(run.gate.kind);
      expect(run.gate.subject.text).toContain("test/add.test.js");
      await run.answer("approve");
      await run.go();
    }
    expect(kinds, run.story()).toContain("protected_patch_changes");
    expect(run.state).toBe("completed");
    expect(run.events("approval_auto_approved").map(({ gate }) => gate.kind)).not.toContain("protected_patch_changes");
  });

  it("[R-32] rejecting it ends the run", async () => {
    const run = await worked([fix, { op: "append", path: "test/add.test.js", text: "// changed\n" }]);
    while (run.state === "awaiting_approval" && run.gate.kind !== "protected_patch_changes") {
      await run.answer("approve");
      await run.go();
    }
    await run.answer("reject", "no test changes");
    await run.go();
    expect(["failed", "aborted"]).toContain(run.state);
  });

  it("before a worktree goes, what it holds is pinned", async () => {
    const run = await (
      await start({
        policy: unchecked,
        script: {
          roles: {
            implementer: [{ edits: [fix, { op: "write", path: "idea.txt", text: "worth keeping\n" }] }],
          },
        },
      })
    ).until("isolated_patch_application");
    await run.answer("abort", "not now");
    await run.go();
    expect(run.state).toBe("aborted");
    const [retired] = run.events("workspace_retired");
    expect(retired?.keptRefs).toHaveLength(1);
    expect(git(run.dir, "show", `${retired?.keptRefs[0]}:idea.txt`)).toBe("worth keeping");
    expect(existsSync(join(run.dir, ".thehood/worktrees", run.runId))).toBe(false);
    expect(git(run.dir, "worktree", "list").split("\n")).toHaveLength(1);
    expect(run.file("src/add.js")).toContain("a - b");
  });
});

describe("a file of the runtime itself in the work", () => {
  it("[S-6] is refused by the judge, also where its folder is a link of the checkout", async () => {
    const path = ".thehood/config.json";
    const edits = [fix, { op: "write", path, text: "{}" } as const, { op: "force-add", path } as const];
    const run = await start({
      policy: { approvals: "autopilot", checks: [quickCheck], discoverChecks: false },
      script: { repeatLast: true, roles: { implementer: [{ edits }] } },
    });
    await run.drive();
    const verdicts = run.run.passes.map(({ judgement }) => judgement?.verdict);
    expect(verdicts, run.story()).toContain("reject");
    expect(verdicts).not.toContain("accept");
    expect(run.state).not.toBe("completed");
  });
});
