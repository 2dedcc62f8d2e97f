import { describe, expect, it } from "vitest";
import { defaultPolicy, openGates } from "../index.ts";
import { Play, ref } from "../../../../tests/support/play.ts";
import { drive } from "../../../../tests/support/drive-review.ts";

describe("a worker's own account", () => {
  it("[R-4] is compared with what it did", () => {
    const play = drive({
      replies: { implementer: [{ payload: { status: "changed", changedFiles: ["README.md"] } }] },
    });
    expect(play.run.findings.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(["unreported_change", "reported_but_unchanged"]),
    );
  });

  it("[R-30] no change said and a change made: the change is captured all the same", () => {
    const play = drive({ replies: { implementer: [{ payload: { status: "no_change" } }] } });
    expect(play.of("patch_applied")).toHaveLength(1);
  });

  it("an empty patch after `changed` is a finding, and the verifier sees no diff", () => {
    const play = drive({ tree: () => null });
    expect(play.run.findings.map(({ kind }) => kind)).toContain("empty_patch_after_changed");
    const directive = play.effects.findLast((one) => one.kind === "write_directive" && one.call.role === "verifier");
    expect(JSON.stringify(directive)).not.toContain('"diff"');
  });

  it("[R-30] direct edits are judged and recorded like any other, without being applied twice", () => {
    const play = new Play({ policy: { ...defaultPolicy, directEdit: true } }).go();
    play.answer("approve").go();
    expect(play.state).toBe("completed");
    expect(play.of("patch_applied")[0]?.integration.alreadyApplied).toBe(true);
    expect(play.effects.find((one) => one.kind === "call_provider" && one.call.role === "implementer")).toMatchObject({
      call: { workspace: "direct" },
    });
  });
});

describe("saying that nothing is to be done", () => {
  it("an orchestrator that says complete without recorded evidence stops for a person", () => {
    const play = drive({
      replies: {
        orchestrator: [{ payload: { action: "complete", reason: "all good", evidenceRefs: ["sha256:made-up"] } }],
      },
    });
    expect(play.gate).toBe("orchestrator_complete_without_evidence");
    play.answer("approve").go();
    expect(play.run.phase).toMatchObject({ state: "failed", stopReason: "no_change" });
    expect(play.of("agent_asked").map(({ call }) => call.role)).toEqual(["orchestrator", "qa", "verifier"]);
  });

  it("with evidence of this run it is verified, not believed", () => {
    const evidence = ref("evidence", "status").ref;
    const play = drive({
      replies: {
        orchestrator: [{ payload: { action: "complete", reason: "all good", evidenceRefs: [evidence] } }],
      },
    });
    expect(play.run.phase).toMatchObject({ state: "failed", stopReason: "no_change" });
    expect(play.of("agent_asked").map(({ call }) => call.role)).toContain("verifier");
  });

  it("[R-12] a decision to abort is a question to the person, with its reason; without flag 42 it aborts", () => {
    for (const mode of ["implement", "plan"] as const) {
      const play = drive(
        { replies: { orchestrator: [{ payload: { action: "abort", reason: "the goal is harmful" } }] } },
        { mode },
      );
      expect(play.gate).toBe("provider_requested_approval");
      expect(openGates(play.run)[0]?.subject.text).toContain("wants to end the run: the goal is harmful");
      expect(openGates(play.run)[0]?.answers).toEqual(["approve", "revise", "abort"]);
      play.answer("abort", "");
      expect(play.run.phase).toMatchObject({ state: "aborted", stopReason: "user_abort" });
    }
  });
});
