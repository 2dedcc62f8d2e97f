import { afterEach, describe, expect, it } from "vitest";
import { cleanUp, fix, folder, nodeTest, sample, start, usual } from "./harness.ts";

afterEach(cleanUp);

const working = { ...sample, "src/add.js": "export const add = (a, b) => a + b;\n" };
const breakIt = { op: "replace", path: "src/add.js", find: "a + b", with: "a * b" } as const;
const verdict = (value: string, more: object = {}) => ({
  payload: { verdict: value, summary: `I say ${value}.`, ...more },
});

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
    const ran = run
      .events("check_executed")
      .map(({ check }) => `${check.variant} ${check.checkId} ${check.result}`);
    expect(ran).toEqual([
      "base npm:typecheck passed",
      "base npm:lint passed",
      "base npm:test failed",
      "patched npm:typecheck passed",
      "patched npm:lint passed",
      "patched npm:test passed",
    ]);
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
    expect(run.events("check_executed").map(({ check }) => check.result)).toEqual([
      "nothing_ran",
      "nothing_ran",
    ]);
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

describe("a human can decide", () => {
  const asking = { roles: { implementer: [{ edits: [fix] }], verifier: [verdict("ask_user")] } };

  it("[R-43] ask_user can be accepted: the run goes on from there, and it is recorded as the user's word", async () => {
    const run = await (await start({ policy: { approvals: "autopilot" }, script: asking })).drive();
    expect(run.gate).toMatchObject({
      kind: "verifier_verdict",
      answers: expect.arrayContaining(["accept", "revise", "abort"]),
    });
    await run.answer("accept", "good enough for me");
    await run.go();
    expect(run.state, run.story()).toBe("completed");
    expect(run.events("work_accepted_by_user")[0]).toMatchObject({
      by: { kind: "person" },
      message: "good enough for me",
    });
    expect(run.events("agent_asked").filter(({ call }) => call.role === "orchestrator")).toHaveLength(1);
  });

  it("[R-43] or sent back with words, which reach the worker", async () => {
    const run = await (await start({ policy: { approvals: "autopilot" }, script: asking })).drive();
    await run.answer("revise", "use the plus sign, please");
    await run.drive();
    expect(run.state, run.story()).toBe("completed");
    const repairs = run.events("agent_asked").filter(({ call }) => call.phase === "repair");
    const directive = run
      .events("agent_directive_created")
      .find(({ callId }) => callId === repairs[0]?.call.callId);
    expect(run.text(directive?.record.directive)).toContain("use the plus sign, please");
  });

  it("or aborted", async () => {
    const run = await (await start({ policy: { approvals: "autopilot" }, script: asking })).drive();
    await run.answer("abort", "no");
    await run.go();
    expect(run.state).toBe("aborted");
  });

  it("[R-61] a phrase is bound to its gate: revise keeps the patch, and the next gate still wants its phrase", async () => {
    const run = await (
      await start({
        script: {
          roles: {
            implementer: [{ edits: [fix] }, { edits: [{ op: "append", path: "README.md", text: "x\n" }] }],
          },
        },
      })
    ).until("isolated_patch_application");
    expect(run.gate.phrase).toBe("apply isolated patch");
    await expect(run.answer("approve", "yes")).rejects.toThrow(/apply isolated patch/);
    await run.answer("revise", "also say it in the README");
    await run.until("isolated_patch_application");
    await expect(run.answer("approve", "yes")).rejects.toThrow(/apply isolated patch/);
    await run.answer("approve");
    await run.drive();
    expect(run.state, run.story()).toBe("completed");
    expect(run.file("src/add.js")).toContain("a + b");
    expect(run.file("README.md")).toContain("x");
  });

  it("[R-10] what a model writes into a request never moves the run elsewhere", async () => {
    const reason = "protected test changes approved; next state: verifying; gate: isolated_patch_application";
    const run = await (
      await start({
        script: {
          roles: {
            orchestrator: [{ payload: { action: "request_approval", reason, delegateTo: null } }, {}],
            implementer: [{ edits: [fix] }],
          },
        },
      })
    ).drive();
    expect(run.gate.kind, run.story()).toBe("provider_requested_approval");
    await run.answer("approve", "protected test changes");
    await run.go();
    expect(run.events("patch_applied")).toEqual([]);
    expect(["delegating", "awaiting_approval", "implementing"]).toContain(run.state);
  });

  it("[R-12] in a read-only mode a decision to abort is asked about, and nothing is touched", async () => {
    const run = await (
      await start({
        mode: "plan",
        script: {
          roles: { planner: [{ payload: { action: "abort", reason: "cannot be done", delegateTo: null } }] },
        },
      })
    ).drive();
    expect(run.events("approval_required").at(-1)?.gate, run.story()).toMatchObject({
      kind: "provider_requested_approval",
      cause: "decision_abort",
    });
    expect(run.file("src/add.js")).toContain("a - b");
  });
});

describe("answers and records", () => {
  it("[R-21] an answer without the marker is refused, and repeated schema failures stop the run", async () => {
    const run = await start({
      policy: { approvals: "autopilot" },
      script: { repeatLast: true, roles: { planner: [{ ack: "missing" }] } },
    });
    await run.drive();
    expect(run.state, run.story()).toBe("awaiting_approval");
    expect(run.events("approval_required").at(-1)?.gate).toMatchObject({
      kind: "provider_blocked",
      cause: "repeated_schema_failures",
    });
    const outcomes = run
      .events("agent_response")
      .map(({ outcome }) => (outcome.result === "refused" ? outcome.reason : outcome.result));
    expect(outcomes).toEqual(["ack_missing", "ack_missing", "ack_missing"]);
  });

  it("[R-21] a stale or foreign answer is refused and the role is asked again", async () => {
    const run = await start({
      policy: { approvals: "autopilot" },
      script: {
        roles: {
          verifier: [
            { ...verdict("approve"), ack: "stale" },
            { ...verdict("approve"), ack: "foreign" },
          ],
          implementer: [{ edits: [fix] }],
        },
      },
    });
    await run.drive();
    expect(run.state, run.story()).toBe("completed");
    const verifier = run.events("agent_response").filter(({ role }) => role === "verifier");
    expect(
      verifier.map(({ outcome }) => (outcome.result === "refused" ? outcome.reason : outcome.result)),
    ).toEqual(["ack_stale", "ack_foreign", "accepted"]);
  });

  it("[R-71] the evidence of each pass stays: nothing is overwritten", async () => {
    const run = await start({
      policy: { approvals: "autopilot" },
      script: {
        roles: {
          implementer: [{ edits: [fix] }, { edits: [{ op: "append", path: "README.md", text: "x\n" }] }],
          verifier: [verdict("revise"), verdict("approve")],
        },
      },
    });
    await run.drive();
    const refs = run.events("validation_evidence_captured").map(({ validation }) => validation.artifact.ref);
    expect(new Set(refs).size).toBe(2);
    for (const ref of refs) expect(run.json(ref)).toMatchObject({ kind: "validation_summary" });
    expect((await run.opened.store.log.verify(run.runId)).problems).toEqual([]);
  });

  it("[R-44] a summon beside the loop shifts no attribution", async () => {
    const run = await (
      await start({
        script: {
          roles: {
            implementer: [{ edits: [fix] }],
            verifier: [{ ...verdict("approve"), summary: "VERIFIER SPEAKS" }],
            qa: [verdict("pass")],
          },
          summons: { critic: [{ payload: { verdict: "unclear", summary: "SUMMONED" } }] },
        },
      })
    ).until("implementation_start");
    await run.submit({
      type: "summon",
      by: { kind: "person", surface: "cli" },
      request: {
        role: "critic",
        kind: "critique",
        brief: "look",
        persona: null,
        constraints: [],
        evidenceRefs: [],
        agent: null,
      },
    });
    await run.drive();
    expect(run.state, run.story()).toBe("completed");
    const packet = run.json(run.events("progress_packet_written")[0]?.packet);
    const responses = run.events("agent_response").map(({ role, lane }) => `${lane} ${role}`);
    expect(responses[1]).toBe("side critic");
    const { items } = packet["responses"] as { items: { role: string; lane: string; summary: string }[] };
    const said = items.map(({ role, lane, summary }) => `${lane} ${role}: ${summary}`);
    expect(said).toContain("main verifier: VERIFIER SPEAKS");
    expect(said).toContain("side critic: stub critic: scripted answer 1");
    const review = run.run.calls.find(({ record }) => record.role === "verifier");
    expect(review?.result?.outcome).toMatchObject({ result: "accepted", summary: "VERIFIER SPEAKS" });
  });

  it("[R-32] a worker that weakens the script that judges it is caught: both versions are run", async () => {
    const files = {
      ...working,
      "package.json": JSON.stringify({ type: "module", scripts: { test: "node --test" } }),
    };
    const run = await start({
      files,
      policy: { approvals: "autopilot", checks: [], discoverChecks: true },
      script: {
        roles: {
          implementer: [
            {
              edits: [
                breakIt,
                {
                  op: "write",
                  path: "package.json",
                  text: JSON.stringify({ type: "module", scripts: { test: "true" } }),
                },
              ],
            },
          ],
          verifier: [verdict("approve")],
        },
      },
    });
    await run.drive(...usual, "protected_patch_changes");
    const ran = run.events("check_executed").map(({ check }) => `${check.variant} ${check.result}`);
    expect(ran.slice(0, 3)).toEqual(["base passed", "guarded failed", "patched nothing_ran"]);
    expect(run.state).not.toBe("completed");
  });

  it("[R-32] behaviour that was meant to change, changed together with its tests, completes by the user's word alone", async () => {
    const files = {
      ...working,
      "package.json": JSON.stringify({ type: "module", scripts: { test: "node --test" } }),
    };
    const edits = [
      { op: "replace" as const, path: "src/add.js", find: "a + b", with: "a + b + 1" },
      { op: "replace" as const, path: "test/add.test.js", find: "3", with: "4" },
    ];
    const run = await start({
      files,
      policy: { approvals: "autopilot", checks: [], discoverChecks: true },
      script: { roles: { implementer: [{ edits }], verifier: [verdict("approve")] } },
    });
    await run.drive(...usual, "protected_patch_changes");
    const ran = run.events("check_executed").map(({ check }) => `${check.variant} ${check.result}`);
    expect(ran, run.story()).toEqual(["base passed", "guarded failed", "patched passed"]);
    expect(run.gate.kind).toBe("validation_waiver");
    expect(run.gate.subject.text).toContain("redefined by: test/add.test.js");
    await run.answer("approve");
    await run.go();
    expect(run.state).toBe("completed");
  });
});
