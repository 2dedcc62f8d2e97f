// Role conflicts when a role is called: a log may hold roles that no version would assign today.
import { describe, expect, it } from "vitest";
import { Play, agent, autopilot } from "../../../../tests/support/play.ts";
import { withRoles } from "../../../../tests/support/with-roles.ts";
import { drive } from "../../../../tests/support/drive-review.ts";

describe("[R-2] when a role is called", () => {
  const one = agent("stub:one");
  const pass = { payload: { verdict: "pass", summary: "nothing is missing" } };

  it("an agent that would verify its own work is not asked, and the run says why", () => {
    const play = withRoles(new Play({ policy: autopilot }), { implementer: one, verifier: one }).go();
    expect(play.run.phase).toMatchObject({ state: "failed", stopReason: "role_conflict" });
    expect(play.of("agent_asked").map(({ call }) => call.role)).not.toContain("implementer");
  });

  it("an agent that has worked on the run is not asked to verify it, whatever the log says of its role", () => {
    const play = drive({ replies: { qa: [{ trouble: "failed" }, pass] } });
    expect(play.gate).toBe("provider_blocked");
    withRoles(play, { verifier: play.run.roles.implementer }).answer("approve").go();
    expect(play.run.phase).toMatchObject({ state: "failed", stopReason: "role_conflict" });
    expect(play.of("agent_asked").map(({ call }) => call.role)).not.toContain("verifier");
  });

  it("two names of one agent are one agent", () => {
    const play = withRoles(new Play({ policy: autopilot }), {
      implementer: { ...one, assignment: "stub:a", identity: "stub:same" },
      verifier: { ...one, assignment: "stub:b", identity: "stub:same" },
    }).go();
    expect(play.run.phase).toMatchObject({ state: "failed", stopReason: "role_conflict" });
  });

  it("no run completes without a verifier that did not work on it", () => {
    const play = drive({});
    const agents = (role: string) =>
      new Set(
        play.run.calls.filter(({ record }) => record.role === role).map(({ record }) => record.assignment.identity),
      );
    expect(play.state).toBe("completed");
    expect(agents("verifier").isDisjointFrom(agents("implementer"))).toBe(true);
  });
});
