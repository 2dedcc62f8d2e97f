// Role conflicts when a role is called: a log may hold roles that no version would assign today.
import { describe, expect, it } from "vitest";
import type { Recorded } from "../../contract/index.ts";
import { Play, agent, autopilot } from "../../../tests/support/play.ts";
import { drive } from "../../../tests/support/drive-review.ts";
import { fold } from "../index.ts";

/** The same log with other roles in its first event, as a program that did not look at them could have written it. */
function withRoles(play: Play, roles: object): Play {
  const [first, ...rest] = play.log;
  if (first?.event.type !== "run_created") throw new Error("no creation");
  const altered: Recorded = {
    ...first,
    event: { ...first.event, roles: { ...first.event.roles, ...roles } },
  };
  const run = fold([altered, ...rest]);
  if (!run) throw new Error("no run");
  play.run = run;
  return play;
}

describe("[R-2] when a role is called", () => {
  const one = agent("stub:one");

  it("an agent that would verify its own work is not asked, and the run says why", () => {
    const play = withRoles(new Play({ policy: autopilot }), { implementer: one, verifier: one }).go();
    expect(play.run.phase).toMatchObject({ state: "failed", stopReason: "role_conflict" });
    expect(play.of("agent_asked").map(({ call }) => call.role)).not.toContain("implementer");
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
        play.run.calls
          .filter(({ record }) => record.role === role)
          .map(({ record }) => record.assignment.identity),
      );
    expect(play.state).toBe("completed");
    expect(agents("verifier").isDisjointFrom(agents("implementer"))).toBe(true);
  });
});
