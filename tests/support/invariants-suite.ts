// The invariants of a run as a property, over as many courses as the caller has time for.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { course } from "./chaos.ts";
import { holdsFor } from "./invariants.ts";

export function invariantsSuite(numRuns: number): void {
  describe("any course of events", () => {
    it("[R-10] keeps the invariants: roles, budgets, gates, lanes, terminal states, replay", () => {
      const ends = new Map<string, number>();
      fc.assert(
        fc.property(course, (given) => {
          const { state, run } = holdsFor(given);
          const end = state === "completed" ? `completed ${run.created.mode}` : state;
          ends.set(end, (ends.get(end) ?? 0) + 1);
        }),
        { numRuns },
      );
      // A property that never gets anywhere proves nothing.
      expect([...ends.keys()]).toEqual(
        expect.arrayContaining(["completed implement", "failed", "aborted", "awaiting_approval"]),
      );
    });
  });
}
