// Work is verified before it touches the checkout, applied last, and the checkout is looked at once more.
import { afterEach, describe, expect, it } from "vitest";
import type { ConfiguredCheck } from "../../src/core/contract/index.ts";
import type { StubScript } from "../../src/agents/index.ts";
import { claims, placedWork } from "../../src/core/machine/index.ts";
import { cleanUp, fix, git, project, put, quickCheck, sample, start } from "./harness.ts";

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

const asked = (run: Awaited<ReturnType<typeof start>>) => run.events("approval_required").map(({ gate }) => gate.kind);
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
    expect(run.events("agent_asked").filter(({ call }) => call.role === "verifier")).toHaveLength(1);
    expect(claims(run.run).find(({ kind }) => kind === "verifier")).toMatchObject({
      standing: "proven",
      statement: "Another agent than the implementer approved this very change",
      why: expect.stringContaining("the same bytes were built again on it") as string,
    });
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
    expect(run.events("revision_packet_written")[0]?.packet.reasonCode, run.story()).toBe("validation_regression");
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

describe("work and edits that meet", () => {
  const lines = Array.from({ length: 20 }, (_, line) => `// line ${line}`).join("\n");
  const files = { ...sample, "src/add.js": `export const add = (a, b) => a - b;\n${lines}\n` };

  it("[B-1] the reviewers are asked again when the change became another one on the new commit", async () => {
    const dir = project(files);
    const run = await start({ dir, policy: manual, script });
    await run.until("isolated_patch_application");
    put(dir, "src/add.js", files["src/add.js"].replace("// line 19", "// theirs"));
    git(dir, "commit", "-qam", "theirs");
    await run.answer("approve");
    await run.drive();
    expect(run.state, run.story()).toBe("completed");
    const verifiers = run.events("agent_asked").filter(({ call }) => call.role === "verifier");
    expect(verifiers).toHaveLength(2);
    const claim = claims(run.run).find(({ kind }) => kind === "verifier");
    expect(claim).toMatchObject({ standing: "proven" });
    expect(claim?.why).toMatch(/read (\d+) of \1 bytes of the diff$/);
  });

  it("[B-2] edits that a person makes while the work is applied can be kept: both are verified together", async () => {
    const dir = project(files);
    const run = await start({ dir, policy: manual, script });
    await run.until("isolated_patch_application");
    await run.answer("approve");
    await run.opened.engine.loop(run.runId, {
      event({ event }) {
        if (event.type !== "patch_applied") return;
        put(dir, "src/add.js", run.file("src/add.js").replace("// line 19", "// mine"));
        put(dir, "README.md", "# Mine\n");
      },
    });
    expect(run.gate, run.story()).toMatchObject({ kind: "integration_failed", cause: "checkout_differs" });
    expect(run.gate.answers).toContain("retry");
    await run.answer("retry");
    await run.go();
    expect(run.gate.kind, run.story()).toBe("isolated_patch_application");
    expect(run.gate.subject.text).toContain("in your checkout already");
    expect(placedWork(run.run)?.paths).toEqual(["src/add.js"]);
    await run.answer("approve");
    await run.go();
    expect(run.state, run.story()).toBe("completed");
    expect(git(dir, "status", "--short")).toBe(" M README.md\n M src/add.js");
    expect(run.file("src/add.js")).toContain("// mine");
    const [looked, applied] = [run.events("checkout_looked").at(-1), run.events("patch_applied").at(-1)];
    expect(looked?.look).toMatchObject({ tree: applied?.integration.tree, paths: [] });
    expect(run.run.passes.at(-1)?.validation?.tree).toBe(applied?.integration.tree);
  });

  it("[B-9] a diff that is too long for one message is given to the verifier in parts, and the claim names what was read", async () => {
    const long = Array.from({ length: 15_000 }, (_, line) => `line ${line} of a long file, with some more words\n`);
    const edits = [fix, { op: "delete", path: "long.txt" } as const];
    const run = await start({
      files: { ...sample, "long.txt": long.join("") },
      policy: autopilot,
      script: { roles: { implementer: [{ edits }] } },
    });
    await run.drive();
    expect(run.state, run.story()).toBe("completed");
    const calls = run.events("agent_asked").filter(({ call }) => call.role === "verifier");
    expect(calls.map(({ why }) => why.split("; ")[1])).toEqual([
      "part 1 of 3 of the diff",
      "part 2 of 3 of the diff",
      "part 3 of 3 of the diff",
    ]);
    const given = run
      .events("agent_directive_created")
      .filter(({ callId }) => calls.some(({ call }) => call.callId === callId));
    const parts = given.map(({ record }) => {
      const { evidence } = run.json(record.directive) as { evidence: { name: string; text: string }[] };
      return evidence.find(({ name }) => name === "diff")?.text ?? "";
    });
    expect(parts.join("")).toBe(run.text(run.run.passes.at(-1)?.captured?.patch?.full));
    const tested = run.events("agent_asked").filter(({ call }) => call.role === "qa");
    expect(tested.map(({ why }) => why.split("; ")[1])).toEqual(calls.map(({ why }) => why.split("; ")[1]));
    expect(claims(run.run).find(({ kind }) => kind === "verifier")).toMatchObject({
      standing: "proven",
      why: expect.stringMatching(/read (\d+) of \1 bytes of the diff in 3 parts/) as string,
    });
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
    const run = await (await start({ policy: autopilot, script: { roles: { implementer: [nothing] } } })).drive();
    expect(run.events("run_failed")[0], run.story()).toMatchObject({ stopReason: "no_change" });
    expect(run.events("run_completed")).toEqual([]);
    expect(run.events("final_report_written")).toHaveLength(1);
  });
});
