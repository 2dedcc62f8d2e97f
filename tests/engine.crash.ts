import { describe, expect, it } from "vitest";
import { survives } from "./support/bench.ts";
import { autopilot } from "./support/play.ts";

const revised = {
  replies: {
    verifier: [
      { payload: { verdict: "revise", summary: "no", failedCriteria: ["x"] } },
      { payload: { verdict: "approve", summary: "yes" } },
    ],
  },
};

describe("a process that dies in the middle of any effect", () => {
  it.each(["before", "after"] as const)(
    "[R-16] is taken up by the next one, %s each effect was done, and no call is sent twice",
    async (moment) => {
      let n = 1;
      while (await survives(n, moment)) n += 1;
      expect(n).toBeGreaterThan(12);
    },
  );

  it.each(["before", "after"] as const)(
    "[B-33] also in a run with blind tests that fail once, %s each effect",
    async (moment) => {
      const cast = { testsRun: () => 3, blind: (pass: number) => (pass === 1 ? { proving: 1, failing: 1 } : {}) };
      const more = { policy: { ...autopilot, blindTests: "on" } };
      let n = 1;
      while (await survives(n, moment, cast, [2, 3], more)) n += 1;
      expect(n).toBeGreaterThan(20);
    },
  );

  it.each(["before", "after"] as const)("[R-16] also in a run with a repair, %s each effect", async (moment) => {
    let n = 1;
    while (await survives(n, moment, revised, [2, 3])) n += 1;
    expect(n).toBeGreaterThan(20);
  });
});
