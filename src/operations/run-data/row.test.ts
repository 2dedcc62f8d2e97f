import { describe, expect, it } from "vitest";
import { gateKinds } from "../../core/contract/index.ts";
import { gateTable } from "../../core/machine/gate/table.ts";
import { offeredAnswer } from "./index.ts";

describe("a list of runs", () => {
  it.each(gateKinds)("offers an answer that the gate %s takes", (kind) => {
    // More of a budget is given with the command of an approval.
    const taken = gateTable[kind].answers.map((answer) => (answer === "extend" ? "approve" : answer));
    expect(taken).toContain(offeredAnswer({ id: "gate_1", kind, title: "…" }));
  });

  it("offers an approval where only a newer version knows the kind of the gate", () => {
    expect(offeredAnswer({ kind: "of_a_newer_version" })).toBe("approve");
  });

  it("offers no acceptance where only a revision may be open", () => {
    expect(offeredAnswer({ kind: "verifier_verdict" })).toBe("revise");
  });
});
