// The honest way out of a worker: a contradiction is a question, and nothing to do is a good end.
import { describe, expect, it } from "vitest";
import { openGates } from "../index.ts";
import { claims } from "../view/index.ts";
import { drive } from "../../../../tests/support/drive-review.ts";

const contradiction = { test: "test/add.test.js: adds", why: "the goal wants a - b, the test a + b" };
const says = (payload: Record<string, unknown>) => ({ payload });

describe("a worker whose task and tests disagree", () => {
  it("[B-29] opens one question with both in its words, and nothing fails", () => {
    const play = drive({ replies: { implementer: [says({ status: "changed", contradiction })] } });
    expect(play.gate).toBe("task_contradiction");
    const [gate] = openGates(play.run);
    expect(gate?.title).toMatch(/^Test or task\?/);
    expect(gate?.subject.text).toContain(contradiction.test);
    expect(gate?.subject.text).toContain(contradiction.why);
    expect(gate?.answers).toEqual(["approve", "revise", "abort"]);
    expect(play.of("revision_packet_written")).toEqual([]);
    expect(play.of("patch_applied")).toEqual([]);
  });

  it("[B-29] goes on with the user's words, and the answer counts as no failure", () => {
    const play = drive({
      tree: (pass) => (pass === 1 ? null : "2".repeat(40)),
      replies: { implementer: [says({ status: "no_change", contradiction }), says({ status: "changed" })] },
    });
    expect(play.gate).toBe("task_contradiction");
    play.answer("revise", "the test is right").go();
    expect(play.of("revision_packet_written").map(({ packet }) => packet.reasonCode)).toEqual(["user_revise"]);
    expect(play.of("approval_required").map(({ gate }) => gate.kind)).toEqual(["task_contradiction"]);
    expect(play.run.phase).toMatchObject({ state: "completed", stopReason: "success" });
  });

  it("[B-29] goes on with the work as it is when a person approves, and asks once", () => {
    const play = drive({ replies: { implementer: [says({ status: "changed", contradiction })] } });
    play.answer("approve").go();
    expect(play.of("approval_required")).toHaveLength(1);
    expect(play.run.phase).toMatchObject({ state: "completed", stopReason: "success" });
  });

  it("[B-29] a worker that is blocked by it is asked about in the same words", () => {
    const play = drive({
      replies: { implementer: [{ status: "blocked", ...says({ status: "blocked", contradiction }) }] },
    });
    expect(play.gate).toBe("provider_blocked");
    expect(openGates(play.run)[0]).toMatchObject({
      title: expect.stringMatching(/^Test or task/),
      cause: "contradiction",
    });
    expect(openGates(play.run)[0]?.subject.text).toContain(contradiction.why);
  });

  it("[B-29] finds both ways out in its instructions", () => {
    const play = drive({});
    const directive = play.effects.find((one) => one.kind === "write_directive" && one.call.phase === "implement");
    const text = JSON.stringify(directive);
    expect(text).toContain("If the tests and the goal disagree, say so in contradiction");
    expect(text).toContain("status no_change and say why in reason");
  });
});

describe("nothing to do", () => {
  it("[B-29] with a reason that the verifier agrees to is a good end, and no success of a change", () => {
    const reason = "the function rounds already";
    const play = drive({ tree: () => null, replies: { implementer: [says({ status: "no_change", reason })] } });
    expect(play.run.phase).toMatchObject({ state: "completed", stopReason: "no_change" });
    expect(play.of("approval_required")).toEqual([]);
    const [first] = claims(play.run);
    expect(first).toMatchObject({ standing: "proven", why: expect.stringContaining(reason) });
    expect(play.json(play.run.report?.report)).toMatchObject({ doubts: [] });
  });

  it("[B-29] a reason beside a change does not hide the change, and without a reason nothing is good", () => {
    const changed = drive({ replies: { implementer: [says({ status: "no_change", reason: "done already" })] } });
    expect(changed.of("patch_applied")).toHaveLength(1);
    const silent = drive({ tree: () => null, replies: { implementer: [says({ status: "no_change" })] } });
    expect(silent.run.phase).toMatchObject({ state: "failed", stopReason: "no_change" });
    const refused = drive({
      tree: () => null,
      replies: {
        implementer: [says({ status: "no_change", reason: "done already" })],
        verifier: [says({ verdict: "ask_user", summary: "it is not" })],
      },
    });
    expect(refused.gate).toBe("verifier_verdict");
  });
});
