import { describe, expect, it } from "vitest";
import { playRandom } from "./random-suite.ts";
import { stageFor } from "./stage-for.ts";
import { chromium } from "./stage.ts";

describe.skipIf(chromium === undefined)("pages drawn at random, the long set", () => {
  const on = stageFor();
  it("200 runs: no wrong success, no second send, every failure with its code, no tab left", async () => {
    const seed = Number(process.env["THEHOOD_SEED"] ?? "5000");
    const outcomes = await playRandom(on.stage, seed, 200, 3);
    const told = Object.groupBy(outcomes, ({ status, code }) => `${status} ${code ?? ""}`.trim());
    for (const [name, all] of Object.entries(told))
      process.stdout.write(`${String(all?.length).padStart(4)} ${name}\n`);
    expect(outcomes).toHaveLength(200);
  });
});
