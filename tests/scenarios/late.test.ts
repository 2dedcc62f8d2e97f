// Work is verified before it touches the checkout, applied last, and the checkout is looked at once more.
import { afterEach, describe, expect, it } from "vitest";
import type { ConfiguredCheck } from "../../src/contract/index.ts";
import type { StubScript } from "../../src/providers/index.ts";
import { cleanUp, fix, git, project, put, quickCheck, start } from "./harness.ts";

afterEach(cleanUp);

const checks = { checks: [quickCheck], discoverChecks: false };
const autopilot = { approvals: "autopilot" as const, ...checks };
const manual = { approvals: "manual" as const, ...checks };
const script = { roles: { implementer: [{ edits: [fix] }] } };
/** A worker that leaves everything as it is when it is asked a second time. */
const once: StubScript = {
  repeatLast: true,
  roles: {
    implementer: [{ edits: [fix] }, { edits: [], payload: { status: "no_change", changedFiles: [] } }],
  },
};

const asked = (run: Awaited<ReturnType<typeof start>>) =>
  run.events("approval_required").map(({ gate }) => gate.kind);
const at = (run: Awaited<ReturnType<typeof start>>, type: string): number =>
  run
    .story()
    .split("\n")
    .findIndex((line) => line.endsWith(` ${type}`));

describe("verified before it touches the checkout", () => {
  it("[B-1] [B-2] checks and reviews come first, the patch is applied last, and the last look finds that very tree", async () => {
    const dir = project();
    const run = await (await start({ dir, policy: autopilot, script })).drive();
    expect(run.state, run.story()).toBe("completed");
    expect(at(run, "validation_evidence_captured")).toBeLessThan(at(run, "patch_applied"));
    const [applied] = run.events("patch_applied");
    const looks = run.events("checkout_looked").map(({ look }) => look);
    expect(looks.map(({ moment }) => moment)).toEqual(["before", "last"]);
    expect(looks[1]).toMatchObject({ tree: applied?.integration.tree, paths: [] });
    expect(run.events("validation_evidence_captured")[0]?.validation.tree).toBe(applied?.integration.tree);
    expect(git(dir, "status", "--short")).toBe(" M src/add.js");
  });

  it("[B-1] refused work leaves no trace in the checkout", async () => {
    const dir = project();
    const run = await start({ dir, policy: manual, script });
    await run.until("isolated_patch_application");
    expect(git(dir, "status", "--short")).toBe("");
    await run.answer("reject", "no");
    await run.go();
    expect(run.state, run.story()).toBe("aborted");
    expect(git(dir, "status", "--short")).toBe("");
  });

  it("[B-1] a commit made meanwhile: the work is built again on it and checked again before it is applied", async () => {
    const dir = project();
    const run = await start({ dir, policy: manual, script });
    await run.until("isolated_patch_application");
    put(dir, "README.md", "# Moved\n");
    git(dir, "commit", "-qam", "moved");
    await run.answer("approve");
    await run.go();
    expect(run.events("candidate_rebuilt")[0]?.onto.commit).toBe(git(dir, "rev-parse", "HEAD"));
    expect(run.events("patch_applied")).toHaveLength(0);
    expect(run.gate.kind, run.story()).toBe("isolated_patch_application");
    await run.answer("approve");
    await run.go();
    expect(run.state, run.story()).toBe("completed");
    expect(git(dir, "status", "--short")).toBe(" M src/add.js");
    const trees = run.events("check_executed").map(({ check }) => check.tree);
    expect(new Set(trees).size).toBe(4);
  });

  it("[B-1] work that breaks together with the new commit goes back as a revision", async () => {
    const both: ConfiguredCheck = {
      id: "both",
      kind: "test",
      argv: ["sh", "-c", "! grep -q strict README.md || ! grep -q 'a + b' src/add.js"],
    };
    const dir = project();
    const run = await start({ dir, policy: { ...manual, checks: [quickCheck, both] }, script: once });
    await run.until("isolated_patch_application");
    put(dir, "README.md", "# strict\n");
    git(dir, "commit", "-qam", "strict");
    await run.answer("approve");
    await run.go();
    expect(run.events("revision_packet_written")[0]?.packet.reasonCode, run.story()).toBe(
      "validation_regression",
    );
    expect(run.gate.kind).toBe("repeated_failure");
    expect(git(dir, "status", "--short")).toBe("");
  });

  it("[B-1] a conflict with the new commit goes back as a revision that names the file", async () => {
    const dir = project();
    const resolved = "export const add = (a, b) => a + b; // both\n";
    const run = await start({
      dir,
      policy: manual,
      script: {
        roles: {
          implementer: [{ edits: [fix] }, { edits: [{ op: "write", path: "src/add.js", text: resolved }] }],
        },
      },
    });
    await run.until("isolated_patch_application");
    put(dir, "src/add.js", "export const add = (a, b) => a - b; // theirs\n");
    git(dir, "commit", "-qam", "theirs");
    await run.answer("approve");
    await run.go();
    const packet = run.events("revision_packet_written")[0]?.packet;
    expect(packet, run.story()).toMatchObject({ reasonCode: "base_moved" });
    expect(packet?.acceptanceCriteria.join()).toContain("src/add.js");
    await run.drive();
    expect(run.state, run.story()).toBe("completed");
    expect(run.file("src/add.js")).toBe(resolved);
  });

  it("[B-1] a conflict that the worker leaves as it is stops the run", async () => {
    const dir = project();
    const run = await start({ dir, policy: manual, script: once });
    await run.until("isolated_patch_application");
    put(dir, "src/add.js", "export const add = (a, b) => a - b; // theirs\n");
    git(dir, "commit", "-qam", "theirs");
    await run.answer("approve");
    await run.drive();
    expect(run.gate.kind, run.story()).toBe("repeated_failure");
    expect(git(dir, "status", "--short")).toBe("");
  });

  it("[B-1] [R-31] edits of the user elsewhere are checked together with the work; on its own paths they block it", async () => {
    const dir = project();
    const run = await start({ dir, policy: manual, script });
    await run.until("isolated_patch_application");
    put(dir, "README.md", "# Mine\n");
    await run.answer("approve");
    await run.go();
    expect(run.gate.kind, run.story()).toBe("isolated_patch_application");
    put(dir, "src/add.js", "export const add = (a, b) => a - b; // mine\n");
    await run.answer("approve");
    await run.go();
    expect(run.gate.kind, run.story()).toBe("dirty_checkout_before_patch");
    git(dir, "checkout", "-q", "src/add.js");
    await run.answer("approve");
    await run.drive();
    expect(run.state, run.story()).toBe("completed");
    expect(git(dir, "status", "--short")).toBe(" M README.md\n M src/add.js");
    expect(run.file("README.md")).toBe("# Mine\n");
  });
});

describe("questions of an honest run", () => {
  const test = "import test from 'node:test';\ntest('more', () => {});\n";
  const newTest = { op: "write", path: "test/more.test.js", text: test } as const;
  const changedTest = { op: "append", path: "test/add.test.js", text: "// more\n" } as const;

  it.each([
    { name: "a change", approvals: "manual", edits: [fix], questions: 2 },
    { name: "a change with a new test", approvals: "manual", edits: [fix, newTest], questions: 2 },
    { name: "a change with a changed test", approvals: "manual", edits: [fix, changedTest], questions: 2 },
    { name: "a change", approvals: "autopilot", edits: [fix], questions: 0 },
    { name: "a change with a changed test", approvals: "autopilot", edits: [fix, changedTest], questions: 1 },
  ] as const)("[B-3] $name asks $questions times on $approvals", async ({ approvals, edits, questions }) => {
    const policy = { approvals, ...checks };
    const run = await start({ policy, script: { roles: { implementer: [{ edits: [...edits] }] } } });
    await run.drive("implementation_start", "isolated_patch_application", "protected_patch_changes");
    expect(run.state, run.story()).toBe("completed");
    expect(asked(run)).toHaveLength(questions);
  });

  it("[B-3] a new test asks for nothing on autopilot while the tests of the base pass", async () => {
    const files = { "src/add.js": "export const add = (a, b) => a + b; // x\n", "README.md": "# x\n" };
    const edits = [{ op: "append", path: "src/add.js", text: "// more\n" } as const, newTest];
    const run = await (
      await start({ files, policy: autopilot, script: { roles: { implementer: [{ edits }] } } })
    ).drive();
    expect(run.state, run.story()).toBe("completed");
    expect(asked(run)).toEqual([]);
  });
});

describe("a run that changed nothing", () => {
  it("[B-9] ends as no_change, whatever everybody says", async () => {
    const nothing = { edits: [], payload: { status: "changed", changedFiles: ["src/add.js"] } };
    const run = await (
      await start({ policy: autopilot, script: { roles: { implementer: [nothing] } } })
    ).drive();
    expect(run.events("run_failed")[0], run.story()).toMatchObject({ stopReason: "no_change" });
    expect(run.events("run_completed")).toEqual([]);
    expect(run.events("final_report_written")).toHaveLength(1);
  });
});
