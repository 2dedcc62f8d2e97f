import { describe, expect, it } from "vitest";
import { expectNoTab, playRandom } from "./random-suite.ts";
import { pageSets, stageFor } from "./stage-for.ts";
import { chromium } from "./stage.ts";

describe.skipIf(chromium === undefined).each(pageSets)("pages drawn at random, the %s set", (set) => {
  const on = stageFor(set);
  it("200 runs: no wrong success, no second send, every failure with its code, no tab left", async () => {
    const firstSeed = Number(process.env["THEHOOD_SEED"] ?? "5000");
    const count = Number(process.env["THEHOOD_RUNS"] ?? "200");
    const outcomes = await playRandom(on.stage, set, { firstSeed, count, atOnce: 3 });
    const told = Object.groupBy(outcomes, ({ status, code }) => `${status} ${code ?? ""}`.trim());
    for (const [name, all] of Object.entries(told))
      process.stdout.write(`${set}: ${String(all?.length).padStart(4)} ${name}\n`);
    expect(outcomes).toHaveLength(count);
    await expectNoTab(on.stage);
  });
});
