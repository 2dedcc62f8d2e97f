// Answers of agents that are refused, and records that stay.
import { afterEach, describe, expect, it } from "vitest";
import { cleanUp, fix, start, usual } from "./harness.ts";
import { working, breakIt, verdict } from "./acceptance-scene.ts";

afterEach(cleanUp);

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
    expect(verifier.map(({ outcome }) => (outcome.result === "refused" ? outcome.reason : outcome.result))).toEqual([
      "ack_stale",
      "ack_foreign",
      "accepted",
    ]);
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
