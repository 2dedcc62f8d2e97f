// Handoffs tell a person's answers from the policy's, and name a gate that is still open.
import { describe, expect, it } from "vitest";
import { openGates } from "../facts/index.ts";
import { Play, autopilot, early } from "../../../../tests/support/play.ts";
import { drive } from "../../../../tests/support/drive-review.ts";
import { handoffs } from "./index.ts";

const gatesIn = (play: Play) =>
  handoffs(play.run)
    .filter(({ gateId }) => gateId !== null)
    .map(({ gateId, kind, from, to }) => ({ gateId, kind, from, to }));

describe("[R-46] a handoff at a gate", () => {
  it("that is open is there while it waits, and hands the run to the operator", () => {
    const play = new Play().go();
    const [gate] = openGates(play.run);
    expect(gatesIn(play)).toEqual([{ gateId: gate?.id, kind: "approval_gate", from: "Runtime", to: "Operator" }]);
  });

  it("that a person answered is theirs, and never shown as automatic", () => {
    const play = new Play({ policy: early }).through("implementation_start", "isolated_patch_application");
    expect(play.state).toBe("completed");
    const answered = gatesIn(play);
    expect(answered.length).toBeGreaterThanOrEqual(2);
    for (const handoff of answered) expect(handoff).toMatchObject({ kind: "approval_gate", from: "Operator" });
  });

  it("that the policy passed is the runtime's, and never shown as a person's", () => {
    const passed = gatesIn(drive({}));
    expect(passed.length).toBeGreaterThanOrEqual(2);
    for (const handoff of passed) expect(handoff).toMatchObject({ kind: "approval_auto_approved", from: "Runtime" });
  });

  it("is listed in the order of the log beside those that were answered", () => {
    const play = new Play(
      { policy: autopilot },
      { replies: { verifier: [{ payload: { verdict: "ask_user", summary: "?" } }] } },
    ).go();
    expect(play.gate).toBe("verifier_verdict");
    const kinds = gatesIn(play).map(({ kind }) => kind);
    expect(kinds.at(-1)).toBe("approval_gate");
    expect(kinds.slice(0, -1)).toContain("approval_auto_approved");
  });
});
