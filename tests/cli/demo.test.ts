// The demonstration, as a newcomer starts it.
import { describe, expect, it } from "vitest";
import { openTestDesk, realNpm } from "./program.ts";

describe("the demo", () => {
  it("the demo shows a whole governed run to people", () => {
    const { thehood } = openTestDesk();
    const shown = thehood(["demo"], realNpm);
    expect(shown.code, shown.err).toBe(0);
    expect(shown.out).toContain("Look further");
  });
});
