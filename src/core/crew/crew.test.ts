// The order in which an assignment is looked for: the run's word, then the repository's, then the user's.
import { describe, expect, it } from "vitest";
import { namedCrew } from "./crew.ts";

const configs = (repo: object, user: object) =>
  ({ repo: { version: 1, roles: repo }, user: { version: 1, roles: user } }) as const;

describe("[R-5] an assignment", () => {
  const run = { qa: "stub:run" };
  const repo = { qa: "stub:repo", critic: "stub:repo" };
  const user = { qa: "stub:user", critic: "stub:user", verifier: "stub:user" };

  it("of the run goes before the repository's, and that before the user's", () => {
    expect(namedCrew(configs(repo, user), run)).toEqual({
      qa: { assignment: "stub:run", source: "run" },
      critic: { assignment: "stub:repo", source: "repo" },
      verifier: { assignment: "stub:user", source: "user" },
    });
  });

  it("that is not assigned stays unassigned", () => {
    expect(namedCrew(configs({}, {}))).toEqual({});
  });
});
