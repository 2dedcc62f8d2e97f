import { describe, expect, it } from "vitest";
import { agentNames, teamNames } from "../contract/index.ts";
import { allTeams, presetNamed } from "./index.ts";

describe("teams", () => {
  it("know each agent that completions offer", () => {
    const known = new Set(allTeams().flatMap(({ roles }) => Object.values(roles)));
    expect(agentNames.filter((name) => !known.has(name))).toEqual([]);
  });

  it("of one's own stand beside the ready-made ones, or take the place of one", () => {
    expect(
      allTeams().map(({ name }) => name),
      "teamNames in config-keys.ts",
    ).toEqual([...teamNames]);
    const roles = { implementer: "stub:a", verifier: "stub:b" };
    const mine = allTeams({ mine: { roles }, stub: { about: "another", roles } });
    expect(mine.map(({ name }) => name)).toEqual(
      ["mine", ...teamNames.filter((one) => one !== "stub")].toSpliced(1, 0, "stub"),
    );
    expect(presetNamed("mine", mine).roles).toEqual(roles);
    expect(() => presetNamed("mien", mine)).toThrow(/no team "mien"/);
  });
});
