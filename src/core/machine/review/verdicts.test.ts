import { describe, expect, it } from "vitest";
import { Play, autopilot, creation } from "../../../../tests/support/play.ts";
import { openGates, reviewLanes } from "../index.ts";
import { drive, verdicts } from "../../../../tests/support/drive-review.ts";

describe("verdicts", () => {
  it("[R-43] revise becomes a packet, the work is repaired, and only fresh evidence counts", () => {
    const play = drive({ replies: { verifier: verdicts("revise", "approve") } });
    expect(play.state).toBe("completed");
    const second = play.run.passes[2];
    expect(second?.revision).toMatchObject({ reasonCode: "verifier_revise", pass: 1 });
    const edit = second?.captured?.seq ?? Infinity;
    for (const seq of [second?.validation?.seq, second?.routing?.seq]) expect(seq).toBeGreaterThan(edit);
    const verifier = play.run.calls.find(({ record }) => record.callId === second?.verifier);
    expect(verifier?.seq).toBeGreaterThan(edit);
  });

  it("[R-43] an approval of an earlier pass does not count for a later one", () => {
    const play = drive({ replies: { verifier: verdicts("approve", "revise") }, result: () => "failed" });
    expect(play.gate).toBe("validation_waiver");
    play.answer("revise", "no, make the test pass").go();
    expect(play.state).not.toBe("completed");
    expect(reviewLanes(play.run).find(({ id }) => id === "verifier")?.satisfied).toBe(false);
  });

  it("[R-43] QA's needs_revision goes back to the worker before the verifier is paid for", () => {
    const play = drive({
      replies: {
        qa: [
          { payload: { verdict: "needs_revision", summary: "empty input", missedCases: ["empty input"] } },
          { payload: { verdict: "pass", summary: "ok" } },
        ],
      },
    });
    expect(play.run.passes[1]?.outcome).toMatchObject({
      reasonCode: "qa_needs_revision",
      acceptanceCriteria: ["empty input"],
    });
    expect(play.run.passes[1]?.verifier).toBeNull();
    expect(play.state).toBe("completed");
  });

  it("[R-42] the first cause triggers the critic once a pass, on record, and its answer satisfies nothing", () => {
    const play = drive({ replies: { verifier: verdicts("revise", "approve") } });
    const [asked, answered, ...more] = play.of("critic_trigger_written").map(({ trigger }) => trigger);
    expect(more).toEqual([]);
    expect(asked).toMatchObject({
      reasonCode: "verifier_failed",
      called: true,
      sourceRoles: ["verifier"],
    });
    const pass = play.run.passes[1];
    const responseOf = (role: string) => {
      const outcome = play.run.calls.find(({ record }) => record.role === role)?.result?.outcome;
      return outcome?.result === "accepted" ? outcome.response.ref : role;
    };
    const known = {
      kind: "critic_trigger",
      reasonCode: "verifier_failed",
      sourceRoles: ["verifier"],
      evidenceRefs: [pass?.validation?.artifact.ref, pass?.routing?.artifact.ref, pass?.captured?.patch?.full.ref],
      responseRef: responseOf("verifier"),
    };
    expect(play.json(asked?.artifact)).toMatchObject(known);
    expect(play.json(asked?.artifact)).not.toHaveProperty("criticResponseRef");
    expect(play.json(answered?.artifact)).toMatchObject({
      ...known,
      criticResponseRef: responseOf("critic"),
    });
    expect(play.of("state_changed").map(({ to }) => to)).toContain("critiquing");
  });

  it("[R-42] without a critic the trigger is still recorded, as not called", () => {
    const { critic: _, ...roles } = creation().roles;
    const play = new Play({ policy: autopilot, roles }, { replies: { verifier: verdicts("revise", "approve") } }).go();
    expect(play.of("critic_trigger_written")[0]?.trigger.called).toBe(false);
    expect(play.state).toBe("completed");
  });

  it("[R-42] a verifier that approves over a failing check is a mismatch", () => {
    const play = drive({ result: () => "failed" });
    expect(play.of("critic_trigger_written")[0]?.trigger.reasonCode).toBe("validation_mismatch");
  });

  it.each(["unsafe", "unclear"])(
    "[R-43] a critic that says %s with blocking concerns stops for a person, also under autopilot",
    (verdict) => {
      const play = drive({
        replies: {
          verifier: verdicts("revise"),
          critic: [{ payload: { verdict, blockingConcerns: ["drops the table"] } }],
        },
      });
      expect(play.gate).toBe("critic_safety_review");
      expect(openGates(play.run)[0]?.subject.text).toContain("drops the table");
      expect(play.of("revision_packet_written")).toHaveLength(0);
    },
  );

  it("[R-43] blocking concerns of the critic become a packet with what the verifier found", () => {
    const play = drive({
      replies: {
        verifier: verdicts("revise", "approve"),
        critic: [{ payload: { verdict: "needs_revision", blockingConcerns: ["race"] } }],
      },
    });
    expect(play.run.passes[1]?.outcome).toMatchObject({
      reasonCode: "critic_needs_revision",
      acceptanceCriteria: ["race", "criterion 0"],
    });
  });

  it("[R-43] ask_user stops even when the critic would revise", () => {
    const play = drive({
      replies: {
        verifier: verdicts("ask_user"),
        critic: [{ payload: { verdict: "needs_revision", blockingConcerns: ["x"] } }],
      },
    });
    expect(play.gate).toBe("verifier_verdict");
  });

  it("[R-43] a person can accept what the verifier left to them, and the run goes on from there as theirs", () => {
    const play = drive({ replies: { verifier: verdicts("ask_user") } });
    expect(play.gate).toBe("verifier_verdict");
    play.answer("accept", "good enough for me").go();
    expect(play.run.phase).toMatchObject({ state: "completed", by: "user" });
    expect(play.of("work_accepted_by_user")[0]).toMatchObject({
      tree: "1".repeat(40),
      by: { kind: "person" },
    });
    expect(play.of("agent_asked").filter(({ call }) => call.role === "verifier")).toHaveLength(1);
  });

  it("[R-4] accepting does not wave a failing check through", () => {
    const play = drive({ replies: { verifier: verdicts("ask_user") }, result: () => "failed" });
    play.answer("accept", "fine").go();
    expect(play.gate).toBe("validation_waiver");
  });

  it("[R-43] a person can send it back with words, or end it", () => {
    const revised = drive({ replies: { verifier: verdicts("ask_user", "approve") } })
      .answer("revise", "rename it")
      .go();
    expect(revised.run.passes[2]?.revision).toMatchObject({
      reasonCode: "user_revise",
      objective: "rename it",
    });
    expect(revised.state).toBe("completed");
    const ended = drive({ replies: { verifier: verdicts("ask_user") } }).answer("abort", "no");
    expect(ended.run.phase).toMatchObject({ state: "aborted", stopReason: "user_abort" });
  });

  it("[R-62] a verifier's abort can be revised or ended, and not accepted", () => {
    const play = drive({ replies: { verifier: verdicts("abort") } });
    expect(openGates(play.run)[0]).toMatchObject({ kind: "verifier_verdict", answers: ["revise", "abort"] });
  });
});
