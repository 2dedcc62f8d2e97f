import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { disguised, knownBad, shellNoise } from "../../../tests/support/commands/grammar.ts";
import { loadJudge } from "../../../tests/support/commands/load.ts";
import { severity } from "./verdict.ts";

const { classify } = await loadJudge();

describe("known-bad commands in disguise", () => {
  it("each is what it is when it is alone", () => {
    for (const { words, class: kind } of knownBad)
      expect(classify(words.join(" "))).toMatchObject({ class: kind, gated: true });
  });

  it("[S-9] a wrapped command is never classed lower than the command itself", () => {
    fc.assert(
      fc.property(disguised, ({ line, bad }) => {
        const verdict = classify(line);
        // A line that cannot be read is treated as destructive: it is always asked about, and no policy allows it.
        return verdict.gated && (verdict.class === "unknown" || severity(verdict.class) >= severity(bad.class));
      }),
      { numRuns: 500 },
    );
  });

  it("[S-9] any text at all gets a verdict, and what cannot be parsed is asked about", () => {
    fc.assert(
      fc.property(fc.oneof(shellNoise, fc.string({ unit: "binary", maxLength: 60 })), (line) => {
        const { class: kind, gated, parts } = classify(line);
        return (
          (kind !== "unknown" || gated) && parts.every(({ span, text }) => line.slice(span.start, span.end) === text)
        );
      }),
      { numRuns: 500 },
    );
  });
});
