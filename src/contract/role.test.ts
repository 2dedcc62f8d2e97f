import { describe, expect, it } from "vitest";
import { roleTable } from "./role.ts";
import { roles } from "./words.ts";

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
    for (const role of roles)
      expect(roleTable[role]).toMatchObject({
        read: expect.any(Boolean),
        edit: expect.any(Boolean),
        run: expect.any(Boolean),
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
