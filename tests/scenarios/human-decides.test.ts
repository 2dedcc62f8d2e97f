// Decisions of a person in a run: accept, send back, abort.
import { afterEach, describe, expect, it } from "vitest";
import { cleanUp, fix, start } from "./harness.ts";
import { verdict } from "./acceptance-scene.ts";

afterEach(cleanUp);

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
    const directive = run.events("agent_directive_created").find(({ callId }) => callId === repairs[0]?.call.callId);
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
