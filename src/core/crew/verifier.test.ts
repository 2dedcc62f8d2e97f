import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  FailureError,
  assignableRoles,
  type Actor,
  type Configs,
  type ResolvedAssignment,
  type RoleAssignments,
} from "../contract/index.ts";
import { frozenCrew, namedCrew, type Known, type RoleOverrides } from "./crew.ts";
import { refuseSelfReview, refuseWeakerVerifier, verifyingRoles } from "./verifier.ts";

const person: Actor = { kind: "person", surface: "cli" };
const host: Actor = { kind: "host", surface: "mcp" };

/** `stub:…` is not a model; `x:default` is a model of unknown name; `a:one` and `a:alias` are one model. */
function known(assignment: string): Known {
  const [provider = "", model = ""] = assignment.split(":");
  return {
    assignment,
    provider,
    model,
    identity: assignment === "a:alias" ? "a:one" : assignment,
    boundary: "external",
    modelBacked: provider !== "stub",
    edits: "worktree",
  };
}

const agents = ["a:one", "a:alias", "a:two", "a:default", "b:one", "stub:one", "stub:two"];
const assignments = fc.record(Object.fromEntries(assignableRoles.map((role) => [role, fc.constantFrom(...agents)])), {
  requiredKeys: [],
}) as fc.Arbitrary<RoleOverrides>;

const crewOf = (configs: Configs, run: RoleOverrides): RoleAssignments =>
  frozenCrew(namedCrew(configs, run), known, () => undefined);

const usersOf = ({ user }: Configs) =>
  Object.fromEntries(Object.entries(user.roles ?? {}).map(([role, one]) => [role, known(one)]));

/** The crew that a run may begin with, or undefined where it is refused. */
function allowed(configs: Configs, run: RoleOverrides, by: Actor): RoleAssignments | undefined {
  const crew = crewOf(configs, run);
  try {
    refuseSelfReview(crew);
    refuseWeakerVerifier(crew, usersOf(configs), by);
    return crew;
  } catch (error) {
    if (error instanceof FailureError) return undefined;
    throw error;
  }
}

const files = (user: RoleOverrides, repo: RoleOverrides): Configs => ({
  user: { version: 1, roles: user as Record<string, string> },
  repo: { version: 1, roles: repo as Record<string, string> },
});

describe("the roles that verify", () => {
  it("are those whose answer counts as verification", () => {
    expect(verifyingRoles).toEqual(["verifier"]);
  });

  it("[R-2] no configuration or request gives both roles to one agent, or to two that may be one", () => {
    fc.assert(
      fc.property(assignments, assignments, assignments, fc.constantFrom(person, host), (user, repo, run, by) => {
        const crew = allowed(files(user, repo), run, by);
        const { implementer, verifier } = crew ?? {};
        if (!implementer || !verifier) return;
        expect(implementer.identity).not.toBe(verifier.identity);
        const alike = implementer.provider === verifier.provider && implementer.modelBacked;
        expect(alike ? [implementer.model, verifier.model] : []).not.toContain("default");
      }),
      { numRuns: 1_000 },
    );
  });

  it("[R-62] no setting of a repository or a program puts a stand-in where the user names a model", () => {
    let replaced = 0;
    fc.assert(
      fc.property(assignments, assignments, assignments, fc.constantFrom(person, host), (user, repo, run, by) => {
        const crew = allowed(files(user, repo), run, by);
        const mine = user.verifier;
        if (!crew?.verifier || mine === undefined || !known(mine).modelBacked) return;
        if (by.kind === "person" && run.verifier !== undefined) return;
        if (crew.verifier.source !== "user") replaced += 1;
        expect(crew.verifier.modelBacked).toBe(true);
      }),
      { numRuns: 1_000 },
    );
    // Another model is a choice, and no loss: the rule must not forbid everything.
    expect(replaced).toBeGreaterThan(0);
  });

  it.each<[string, RoleOverrides, RoleOverrides, RoleOverrides, Actor, ResolvedAssignment["source"] | "refused"]>([
    ["a person's own word", { verifier: "b:one" }, {}, { verifier: "stub:one" }, person, "run"],
    ["a program's word", { verifier: "b:one" }, {}, { verifier: "stub:one" }, host, "refused"],
    ["a repository's word", { verifier: "b:one" }, { verifier: "stub:one" }, {}, person, "refused"],
    ["a repository's word for another model", { verifier: "b:one" }, { verifier: "a:two" }, {}, host, "repo"],
    ["a program's choice where the user named no agent", {}, {}, { verifier: "stub:one" }, host, "run"],
    ["a user who names the stand-in", { verifier: "stub:two" }, { verifier: "stub:one" }, {}, host, "repo"],
  ])("[R-62] %s", (_, user, repo, run, by, outcome) => {
    expect(allowed(files(user, repo), run, by)?.verifier?.source ?? "refused").toBe(outcome);
  });
});
