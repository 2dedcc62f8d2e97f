import { afterEach, describe, expect, it } from "vitest";
import { cleanUp, fix, folder, nodeTest, sample, start } from "./harness.ts";
import { working, breakIt, verdict } from "./acceptance-scene.ts";

afterEach(cleanUp);

describe("acceptance is the runtime's, not a model's", () => {
  it("[R-4] a check that passed before and fails now is never completed, although every reviewer approves", async () => {
    const run = await start({
      files: working,
      policy: { approvals: "autopilot", budgets: { maxIterations: 8, maxRevisions: 1 } },
      script: {
        repeatLast: true,
        roles: {
          implementer: [{ edits: [breakIt] }, { edits: [], payload: { status: "no_change" } }],
          verifier: [verdict("approve")],
        },
      },
    });
    await run.drive();
    expect(run.state, run.story()).not.toBe("completed");
    expect(run.events("revision_packet_written")[0]?.packet).toMatchObject({
      reasonCode: "validation_regression",
    });
    expect(run.events("run_completed")).toEqual([]);
  });

  it("[R-4] a check that fails before and after passes only by the user's waiver that names the command", async () => {
    const run = await start({
      policy: { checks: [{ id: "quick", kind: "test", argv: ["grep", "-q", "a + b", "src/add.js"] }] },
      script: {
        roles: {
          implementer: [{ edits: [{ op: "append", path: "README.md", text: "more\n" }] }],
          verifier: [verdict("approve")],
        },
      },
    });
    await run.until("validation_waiver");
    expect(run.gate.subject.text).toContain("grep -q");
    await expect(run.answer("approve", "fine by me")).rejects.toThrow();
    expect(run.state).toBe("awaiting_approval");
    await run.answer("approve");
    await run.go();
    expect(run.state).toBe("completed");
    expect(run.events("validation_waived")[0]).toMatchObject({
      command: "grep -q 'a + b' src/add.js",
      by: { kind: "person" },
    });
  });

  it("[R-33] every check that is found runs, once for each tree: a failing test is not hidden by a passing typecheck", async () => {
    const files = {
      ...sample,
      "package.json": JSON.stringify({
        type: "module",
        scripts: {
          typecheck: "node --check src/add.js",
          lint: "node --check test/add.test.js",
          test: "node --test",
        },
      }),
    };
    const run = await start({
      files,
      policy: { approvals: "autopilot", checks: [], discoverChecks: true },
      script: { roles: { implementer: [{ edits: [fix] }] } },
    });
    await run.drive();
    expect(run.state, run.story()).toBe("completed");
    const ran = run.events("check_executed").map(({ check }) => `${check.variant} ${check.checkId} ${check.result}`);
    expect(ran).toEqual([
      "base npm:typecheck passed",
      "base npm:lint passed",
      "base npm:test failed",
      "patched npm:typecheck passed",
      "patched npm:lint passed",
      "patched npm:test passed",
    ]);
  });

  it("[R-33] a check is recorded with command, folder, exit code, duration, both outputs and the permission decision", async () => {
    const argv: [string, ...string[]] = [
      "sh",
      "-c",
      "pwd; echo to-out; echo to-err >&2; grep -q 'a + b' ../src/add.js",
    ];
    const run = await start({
      policy: { approvals: "autopilot", checks: [{ id: "both", kind: "test", argv, cwd: "test" }] },
      script: { roles: { implementer: [{ edits: [fix] }] } },
    });
    await run.drive();
    const checks = run.events("check_executed").map(({ check }) => check);
    expect(checks.map(({ variant, result, exitCode }) => [variant, result, exitCode])).toEqual([
      ["base", "failed", 1],
      ["patched", "passed", 0],
    ]);
    for (const check of checks) {
      expect(check).toMatchObject({
        checkId: "both",
        argv,
        cwd: "test",
        permission: { decision: "allowed_by_policy" },
      });
      expect(check.durationMs).toBeGreaterThan(0);
      expect(run.text(check.stdout?.ref ?? "")).toMatch(/\/test\nto-out\n$/);
      expect(run.text(check.stderr?.ref ?? "")).toBe("to-err\n");
    }
  });

  it("[R-33] a project that defines no check is a finding that needs the user, not a pass", async () => {
    const run = await start({
      files: { "notes.txt": "x\n" },
      policy: { approvals: "autopilot", checks: [], discoverChecks: true },
    });
    await run.drive();
    expect(run.gate.kind, run.story()).toBe("validation_waiver");
    expect(run.events("finding_recorded").map(({ finding }) => finding.kind)).toContain("no_checks_found");
  });

  it("[R-33] a check with nothing to run is a recorded finding, not a pass", async () => {
    const files = { "package.json": JSON.stringify({ scripts: { test: "node --test" } }), "a.js": "1;\n" };
    const run = await start({
      files,
      policy: { approvals: "autopilot", checks: [nodeTest] },
      script: { roles: { implementer: [{ edits: [{ op: "append", path: "a.js", text: "2;\n" }] }] } },
    });
    await run.drive();
    expect(run.events("check_executed").map(({ check }) => check.result)).toEqual(["nothing_ran", "nothing_ran"]);
    expect(run.gate.kind).toBe("validation_waiver");
  });

  it("[R-70] outside a git repository editing is refused with a remedy, and nothing is written", async () => {
    const dir = folder({ "a.txt": "x" });
    await expect(start({ dir })).rejects.toThrow(/git/);
  });

  it("[R-12] a read-only mode works outside a git repository", async () => {
    const run = await start({ dir: folder({ "a.txt": "x" }), mode: "plan" });
    await run.drive();
    expect(run.state, run.story()).toBe("completed");
  });

  it("[R-24] a worker that says failed inside an ok envelope has failed: nothing is verified", async () => {
    const run = await start({
      policy: { approvals: "autopilot" },
      script: { roles: { implementer: [{ edits: [fix], payload: { status: "failed" } }] } },
    });
    await run.drive();
    expect(run.state).toBe("failed");
    // The base commit was tried before anyone was asked; the work was not.
    expect(run.events("check_executed").filter(({ check }) => check.variant !== "base")).toEqual([]);
    expect(run.file("src/add.js")).toContain("a - b");
  });

  it("[R-24] a blocked answer stops at a gate", async () => {
    const run = await start({
      policy: { approvals: "autopilot" },
      script: { roles: { implementer: [{ status: "blocked", summary: "I need a password." }] } },
    });
    await run.drive();
    expect(run.gate).toMatchObject({ kind: "provider_blocked", role: "implementer" });
  });

  it("[R-13] the slice and its criteria reach the worker; the verifier gets the diff, the changed files and the raw logs", async () => {
    const run = await start({
      policy: { approvals: "autopilot", checks: [nodeTest] },
      script: {
        roles: {
          orchestrator: [{ payload: { acceptanceCriteria: ["add(1, 2) is 3"], sliceName: "the plus" } }],
          implementer: [{ edits: [fix] }],
        },
      },
    });
    await run.drive();
    const directives = new Map(
      run.events("agent_directive_created").map(({ callId, record }) => [callId, run.text(record.directive)]),
    );
    const of = (role: string) =>
      run
        .events("agent_asked")
        .filter(({ call }) => call.role === role)
        .map(({ call }) => directives.get(call.callId) ?? "")
        .join("\n");
    expect(of("implementer")).toContain("add(1, 2) is 3");
    expect(of("verifier")).toContain("+export const add = (a, b) => a + b;");
    expect(of("verifier")).toContain("src/add.js");
    expect(of("verifier")).toMatch(/tests 1/);
    for (const part of [
      "userGoal",
      "findings",
      "verdicts",
      "openQuestions",
      "remainingBudget",
      "stopConditions",
      "currentState",
    ])
      expect(of("verifier")).toContain(part);
  });

  it("[R-43] a repair goes on in the same worktree, and our own applied patch is no dirt", async () => {
    const run = await start({
      policy: { approvals: "autopilot", integrate: "early" },
      script: {
        roles: {
          implementer: [
            { edits: [fix, { op: "write", path: "wip.txt", text: "kept\n" }] },
            { edits: [{ op: "append", path: "wip.txt", text: "and on\n" }] },
          ],
          verifier: [verdict("revise", { failedCriteria: ["say more in wip.txt"] }), verdict("approve")],
        },
      },
    });
    await run.drive();
    expect(run.state, run.story()).toBe("completed");
    expect(run.file("wip.txt")).toBe("kept\nand on\n");
    expect(run.file("src/add.js")).toContain("a + b");
    expect(run.events("patch_applied").map(({ pass }) => pass)).toHaveLength(2);
    expect(run.events("revision_packet_written")[0]?.packet).toMatchObject({
      reasonCode: "verifier_revise",
      sourceRole: "verifier",
    });
    const dirs = run.events("isolated_patch_captured").map(({ patch }) => patch?.changedPaths);
    expect(dirs).toEqual([["src/add.js", "wip.txt"], ["wip.txt"]]);
  });
});
