// A waiver applies to one check of one tree.
import { describe, expect, it } from "vitest";
import { Play, autopilot, check, earlyAutopilot } from "../../../../tests/support/play.ts";
import { drive } from "../../../../tests/support/drive-review.ts";
import { fold, openChecks } from "../index.ts";

describe("[R-33] a waiver", () => {
  const waived = (cast = {}) => drive({ result: () => "failed", ...cast }).answer("approve");

  it("counts for the tree it was given for, and for no other", () => {
    const play = waived();
    const pass = play.run.passes[1];
    if (!pass) throw new Error("no pass");
    expect(pass.waivers).toHaveLength(1);
    expect(openChecks(play.run, pass)).toEqual([]);
    const other = pass.waivers.map((waiver) => ({ ...waiver, tree: "9".repeat(40) }));
    expect(openChecks(play.run, { ...pass, waivers: other })).toHaveLength(1);
  });

  it("does not follow the work into its next pass", () => {
    const checks = [check("npm:test"), check("npm:lint", { kind: "lint" })];
    const play = drive({ checks, result: () => "failed" }, { policy: earlyAutopilot });
    expect(play.gate).toBe("validation_waiver");
    play.answer("approve").go();
    expect(play.gate).toBe("validation_waiver");
    play.answer("revise", "mend the other one").go();
    expect(play.gate).toBe("validation_waiver");
    const latest = play.run.passes.at(-1);
    expect(latest && openChecks(play.run, latest)).toHaveLength(2);
  });

  it("names a person, also in a log that is folded again", () => {
    const { log } = waived();
    const run = fold(log);
    expect(run?.passes[1]?.waivers[0]).toMatchObject({ by: { kind: "person" }, checkId: "npm:test" });
  });

  it("that was given when the run was started covers nothing that the work broke", () => {
    const policy = { ...autopilot, waivedChecks: ["npm run test"] };
    const broken = new Play({ policy }, { result: (_id, variant) => (variant === "base" ? "passed" : "failed") }).go();
    expect(broken.state).not.toBe("completed");
    expect(broken.types()).not.toContain("validation_waived");
  });
});
