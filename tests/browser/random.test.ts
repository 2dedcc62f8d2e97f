import { describe, expect, it } from "vitest";
import { playRandom } from "./random-suite.ts";
import { stageFor } from "./stage-for.ts";
import { chromium } from "./stage.ts";

describe.skipIf(chromium === undefined)("pages drawn at random", () => {
  const on = stageFor();
  it("15 runs: no wrong success, no second send, every failure with its code, no tab left", async () => {
    const outcomes = await playRandom(on.stage, 1_000, 15, 3);
    expect(outcomes).toHaveLength(15);
    expect(outcomes.filter(({ status }) => status === "success").length).toBeGreaterThan(3);
  });
});
