import { describe, expect, it } from "vitest";
import { Play, autopilot, creation } from "../../../../tests/support/play.ts";
import { drive, verdicts } from "../../../../tests/support/drive-review.ts";

describe("routing", () => {
  it("[R-40] writes tier, required lanes, skipped roles with reasons and signals as an artifact", () => {
    const play = drive({ judge: () => ({ signals: ["dependency"] }) });
    const routing = play.of("review_routing_decided")[0]?.routing;
    expect(routing).toMatchObject({ tier: "high", required: { validation: true, qa: true, verifier: true } });
    expect(play.json(routing?.artifact)).toMatchObject({
      kind: "review_routing",
      riskTier: "high",
      signals: { validationCommandCount: 1 },
    });
  });

  it.each([
    ["documentation with passing checks is low", { docsOnly: true }, undefined, "low", false],
    ["documentation with a failing check is not low", { docsOnly: true }, "failed", "high", true],
    ["an ordinary change is medium", {}, undefined, "medium", true],
    ["a big change is high", { addedLines: 2_000 }, undefined, "high", true],
    ["a secret in the patch is high", { secretCount: 1 }, undefined, "high", true],
  ] as const)("[R-40] %s", (_, judgement, result, tier, qa) => {
    const play = drive({ judge: () => judgement, ...(result ? { result: () => result } : {}) });
    expect(play.of("review_routing_decided")[0]?.routing).toMatchObject({
      tier,
      required: { qa, verifier: true },
    });
  });

  it("[R-40] documentation that no check judges is not low: QA looks at it too", () => {
    const none = { policy: { ...autopilot, waivedChecks: ["validation"] } };
    const play = drive({ judge: () => ({ docsOnly: true }), checks: [], workChecks: [] }, none);
    const routed = play.of("review_routing_decided")[0]?.routing;
    expect(routed).toMatchObject({ tier: "medium", required: { qa: true, verifier: true } });
    expect(routed?.signals).toMatchObject({ validationCommandCount: 0, docsOnly: true });
  });

  it("[R-40] documentation after code is not documentation only", () => {
    const replies = { verifier: verdicts("revise", "approve") };
    const policy = { ...autopilot, integrate: "early" };
    const play = drive({ judge: (pass) => ({ docsOnly: pass > 1 }), replies }, { policy });
    const tiers = play.of("review_routing_decided").map(({ routing }) => [routing.tier, routing.signals["docsOnly"]]);
    expect(tiers).toEqual([
      ["medium", false],
      ["medium", false],
    ]);
  });

  it("[R-41] a skipped QA lane has a recorded reason and weakens nothing else", () => {
    const play = drive({ judge: () => ({ docsOnly: true }) });
    expect(play.of("review_routing_decided")[0]?.routing.skipped).toContainEqual({
      role: "qa",
      reason: expect.stringContaining("low risk"),
    });
    expect(play.of("agent_asked").map(({ call }) => call.role)).toEqual(["orchestrator", "implementer", "verifier"]);
    expect(play.state).toBe("completed");
  });

  it("[R-41] QA without an assigned agent is skipped with a reason", () => {
    const { qa: _, ...roles } = creation().roles;
    const play = new Play({ policy: autopilot, roles }).go();
    expect(play.of("review_routing_decided")[0]?.routing.skipped).toContainEqual({
      role: "qa",
      reason: "no agent is assigned to QA",
    });
  });
});
