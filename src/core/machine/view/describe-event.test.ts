import { expect, it } from "vitest";
import type { ReviewRouting, RunEvent } from "../../contract/index.ts";
import { describeEvent } from "./describe-event.ts";

const routed = (reasons: string[], skipped: ReviewRouting["skipped"] = []) =>
  describeEvent({
    type: "review_routing_decided",
    pass: 1,
    routing: { tier: "high", reasons, skipped },
  } as unknown as RunEvent).text;

it("[B-4] says what is reviewed by what the work does, without a word of risk", () => {
  expect(routed(["1 protected path changed"], [{ role: "critic", reason: "nothing triggers it" }])).toBe(
    "review: 1 protected path changed",
  );
  expect(routed(["documentation only, and every check passes"], [{ role: "qa", reason: "low risk" }])).toBe(
    "review: documentation only, and every check passes; without QA",
  );
});
