import { describe, expect, it } from "vitest";
import { gateTable } from "../../core/machine/gate/table.ts";
import { offeredAnswer } from "./index.ts";

describe("a list of runs", () => {
  it.each(Object.entries(gateTable))("offers an answer that the gate %s takes", (kind, { answers }) => {
    // More of a budget is given with the command of an approval.
    const taken = answers.map((answer) => (answer === "extend" ? "approve" : answer));
    expect(taken).toContain(offeredAnswer({ id: "gate_1", kind, title: "…" }));
  });

  it("offers no acceptance where only a revision may be open", () => {
    expect(offeredAnswer({ kind: "verifier_verdict" })).toBe("revise");
  });
});
