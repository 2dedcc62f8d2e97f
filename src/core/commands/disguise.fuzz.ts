import * as fc from "fast-check";
import { expect, it } from "vitest";
import { disguised, shellNoise } from "../../../tests/support/commands/grammar.ts";
import { loadJudge } from "../../../tests/support/commands/load.ts";
import { severity } from "./verdict.ts";

const { classify } = await loadJudge();

it("[S-9] 200,000 wrapped commands are never classed lower than the command itself", () => {
  fc.assert(
    fc.property(disguised, ({ line, bad }) => {
      const verdict = classify(line);
      // A line that cannot be read is treated as destructive: it is always asked about, and no policy allows it.
      return verdict.gated && (verdict.class === "unknown" || severity(verdict.class) >= severity(bad.class));
    }),
    { numRuns: 200_000 },
  );
});

it("[S-9] 1,000,000 random texts: no crash, unparseable is asked about, 99 in 100 within 5 ms of processor time", () => {
  const buckets = new Map<number, number>();
  let runs = 0;
  fc.assert(
    fc.property(fc.oneof(shellNoise, fc.string({ unit: "binary", maxLength: 80 })), (line) => {
      const before = process.cpuUsage();
      const { class: kind, gated } = classify(line);
      const { user, system } = process.cpuUsage(before);
      const ms = Math.floor((user + system) / 1000);
      buckets.set(ms, (buckets.get(ms) ?? 0) + 1);
      runs += 1;
      return kind !== "unknown" || gated;
    }),
    { numRuns: 1_000_000 },
  );
  const slow = [...buckets].filter(([ms]) => ms >= 5).reduce((sum, [, count]) => sum + count, 0);
  expect(slow / runs).toBeLessThan(0.01);
});
