// A run over time.
import { describe, expect, it } from "vitest";
import { Play } from "../../../../tests/support/play.ts";
import { timeline } from "./timeline.ts";
import { gateRisk, worstRisk } from "./risk.ts";

describe("the timeline of a run", () => {
  it("[R-80] parts the time of the runtime, of providers and of the person, and opens each on its event", () => {
    const play = new Play().go();
    play.now += 3_600_000;
    play.answer("approve").through("isolated_patch_application");
    const line = timeline(play.log);
    expect(line.lanes.map(({ id }) => id)).toEqual(expect.arrayContaining(["you", "implementer", "runtime"]));
    const waited = line.bars.filter(({ whose }) => whose === "you");
    expect(waited).toHaveLength(2);
    expect(line.spent.you).toBeGreaterThanOrEqual(3_600_000);
    expect(line.folds).toEqual([expect.objectContaining({ from: expect.any(Number) })]);
    expect(line.bars.filter(({ whose }) => whose === "provider").map(({ lane }) => lane)).toContain("implementer");
    expect(line.bars.filter(({ whose }) => whose === "worked").every(({ lane }) => lane === "runtime")).toBe(true);
    for (const { seq } of line.bars) expect(line.moments[seq - 1]?.seq).toBe(seq);
    expect(line.moments).toHaveLength(play.log.length);
    expect(line.to).not.toBeNull();
  });

  it("leaves a bar open while the gate is", () => {
    const line = timeline(new Play().go().log);
    expect(line.to).toBeNull();
    expect(line.bars.find(({ whose }) => whose === "you")?.to).toBeNull();
  });

  it("orders gates by what a careless yes can cost", () => {
    const kinds = [
      "implementation_start",
      "isolated_patch_application",
      "protected_patch_changes",
      "validation_waiver",
    ];
    // A changed test alone is no high risk: the rows of its gate say what was done to it.
    expect(kinds.map(gateRisk)).toEqual(["low", "medium", "medium", "high"]);
    expect(gateRisk("of_a_newer_version")).toBe("medium");
    // A start that sends data to a provider is not a small matter.
    expect(worstRisk("provider_invocation", ["provider_invocation", "implementation_start"])).toBe("low");
    expect(worstRisk("provider_invocation", ["run_evidence_external_transfer"])).toBe("medium");
  });
});
