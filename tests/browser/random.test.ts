import { describe, expect, it } from "vitest";
import { expectNoTab, playRandom } from "./random-suite.ts";
import { pageSets, stageFor } from "./stage-for.ts";
import { chromium } from "./stage.ts";

describe.skipIf(chromium === undefined).each(pageSets)("pages drawn at random, the %s set", (set) => {
  const on = stageFor(set);
  it("6 runs: no wrong success, no second send, every failure with its code, no tab left", async () => {
    const outcomes = await playRandom(on.stage, set, { firstSeed: 1_000, count: 6, atOnce: 3 });
    expect(outcomes).toHaveLength(6);
    expect(outcomes.filter(({ status }) => status === "success").length).toBeGreaterThan(1);
    await expectNoTab(on.stage);
  });
});
