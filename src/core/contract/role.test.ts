import { describe, expect, it } from "vitest";
import { roleTable } from "./role.ts";
import { roles } from "./text.ts";

describe("the table of roles", () => {
  it("[R-1] names nine roles and says for each what it may read, edit, run and satisfy", () => {
    expect([...roles].sort()).toEqual([
      "citation",
      "critic",
      "implementer",
      "integrator",
      "orchestrator",
      "planner",
      "qa",
      "researcher",
      "verifier",
    ]);
    const rights = Object.fromEntries(
      roles.map((role) => {
        const { read, edit, run, network, satisfies } = roleTable[role];
        const may = Object.entries({ read, edit, run, network }).filter(([, allowed]) => allowed);
        return [role, [...may.map(([name]) => name), `satisfies ${satisfies ?? "nothing"}`].join(" ")];
      }),
    );
    expect(rights).toEqual({
      orchestrator: "read network satisfies nothing",
      planner: "read network satisfies nothing",
      researcher: "read network satisfies nothing",
      implementer: "read edit run satisfies nothing",
      qa: "read satisfies nothing",
      verifier: "read run satisfies verifier",
      critic: "read satisfies nothing",
      citation: "read network satisfies nothing",
      integrator: "read edit run satisfies integration",
    });
  });

  it("[R-2] among the model roles only the implementer edits", () => {
    expect(roles.filter((role) => roleTable[role].edit && !roleTable[role].runtime)).toEqual(["implementer"]);
  });

  it("[R-3] [R-47] the integrator is runtime code, and of the agents only the verifier satisfies anything", () => {
    expect(roles.filter((role) => roleTable[role].runtime)).toEqual(["integrator"]);
    expect(roles.filter((role) => roleTable[role].satisfies !== null && !roleTable[role].runtime)).toEqual([
      "verifier",
    ]);
  });
});
