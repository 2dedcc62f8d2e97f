// Handoffs tell a person's answers from the policy's, and name a gate that is still open.
import { describe, expect, it } from "vitest";
import { openGates } from "../facts/index.ts";
import { Play, autopilot, early, summonRequest } from "../../../../tests/support/play.ts";
import { drive } from "../../../../tests/support/drive-review.ts";
import { handoffs, revisionTrails } from "./index.ts";
import { revise } from "../../../../tests/support/view-scene.ts";

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

const person = { kind: "person", surface: "cli" } as const;
const sides = (play: Play) => handoffs(play.run).filter(({ lane, gateId }) => lane === "side" && gateId === null);

describe("[R-46] a handoff beside the loop", () => {
  it("is on record for a summon: who asked, whom, why, with its directive and its response", () => {
    const play = new Play({ policy: autopilot }).go();
    play.give({ type: "summon", by: person, request: summonRequest({ role: "critic", brief: "what is missing?" }) });
    const [asked] = sides(play);
    expect(asked).toMatchObject({ kind: "agent_handoff", from: "Operator", to: "Agent 4 / Critic", artifacts: [] });
    expect(asked?.reason).toContain("what is missing?");
    play.go();
    const call = play.run.calls.find(({ record }) => record.sideId === asked?.sideId);
    const outcome = call?.result?.outcome;
    expect(outcome?.result).toBe("accepted");
    expect(sides(play)[0]?.artifacts).toEqual([
      call?.directive?.directive.ref,
      outcome?.result === "accepted" ? outcome.response.ref : "",
    ]);
  });

  it("is on record for each item of a fan-out, with its group, also when its gate is refused", () => {
    const play = new Play({ policy: autopilot }).go();
    const items = (["qa", "critic"] as const).map((role) => summonRequest({ role, brief: `as ${role}` }));
    play.give({ type: "fanout", by: { kind: "host", surface: "mcp" }, items }).go();
    const rows = sides(play);
    expect(rows.map(({ from, to }) => [from, to])).toEqual([
      ["Host", "Agent 2A / QA Tester"],
      ["Host", "Agent 4 / Critic"],
    ]);
    expect(new Set(rows.map(({ groupId }) => groupId))).toEqual(new Set([play.run.side.fanouts[0]?.groupId]));
  });

  it("is no part of the trail of a repair", () => {
    const play = new Play({ policy: autopilot }, revise);
    while (play.of("revision_packet_written").length === 0) expect(play.step()).toBe(true);
    play.give({ type: "summon", by: person, request: summonRequest({ role: "critic", brief: "look" }) }).go();
    const [side] = sides(play);
    expect(side).toBeDefined();
    expect(revisionTrails(play.run)[0]?.handoffs).not.toContain(side?.seq);
  });
});
