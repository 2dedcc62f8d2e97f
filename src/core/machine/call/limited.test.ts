// A provider that names the end of its limit: the run waits that long, by itself, and nobody is asked.
import { describe, expect, it } from "vitest";
import { agent, autopilot, Play } from "../../../../tests/support/play.ts";
import { due, monitor, nextActions, openGates } from "../index.ts";

const changed = { payload: { status: "changed" } };
const soon = 60_000;
const limited = (trouble: "failed" | "not_sent" = "failed", until = soon) => ({ trouble, until });
const waiting = (play: Play): Play => {
  for (let most = 0; most < 100 && due(play.run)[0]?.kind !== "wait_for_provider"; most += 1) play.step();
  return play;
};

describe("[B-39] a limit of a provider", () => {
  it.each(["failed", "not_sent"] as const)(
    "leaves the run waiting until its end, at no gate and no cost: %s",
    (how) => {
      const play = waiting(new Play({ policy: autopilot }, { replies: { implementer: [limited(how), changed] } }));
      const { responses } = play.run.spent;
      expect(openGates(play.run)).toHaveLength(0);
      expect(monitor(play.run)).toMatchObject({
        phase: "waiting_provider",
        doing: "waiting until 1970-01-01 00:01 UTC: stub:implementer is at its limit, and is asked again then",
        until: soon,
      });
      expect(nextActions(play.run).map(({ reason }) => reason)[0]).toContain("waiting until 1970-01-01 00:01 UTC");
      play.go();
      expect(play.state).toBe("completed");
      const calls = play.of("agent_asked").filter(({ call }) => call.role === "implementer");
      expect(calls).toHaveLength(2);
      expect(calls[1]?.call.retryOf).toBe(calls[0]?.call.callId);
      const counted = play.of("agent_response").filter(({ outcome }) => outcome.result === "accepted").length;
      expect(play.run.spent.responses).toBe(counted);
      expect(responses).toBeLessThan(counted);
    },
  );

  it("is no reason to wait where the user's list names another agent", () => {
    const fallbacks = { verifier: [agent("stub:second")] };
    const approve = { payload: { verdict: "approve", summary: "holds" } };
    const play = new Play({ policy: autopilot, fallbacks }, { replies: { verifier: [limited(), approve] } }).go();
    expect(play.state).toBe("completed");
    expect(play.of("provider_limited")).toHaveLength(0);
    expect(play.of("role_assigned")).toMatchObject([{ assignment: { assignment: "stub:second" } }]);
  });

  it("is waited for no longer when a person gives the role to another agent, or ends the run", () => {
    const by = { kind: "person", surface: "cli" } as const;
    const play = waiting(new Play({ policy: autopilot }, { replies: { implementer: [limited(), changed] } }));
    play.give({ type: "switch_role", role: "implementer", assignment: agent("stub:other"), by });
    expect(due(play.run).map(({ kind }) => kind)).toEqual(["write_directive"]);
    expect(play.go().state).toBe("completed");
    const ended = waiting(new Play({ policy: autopilot }, { replies: { implementer: [limited()] } }));
    expect(ended.give({ type: "abort", reason: "", by }).go().state).toBe("aborted");
  });

  it("is a person's business when it is weeks away, or comes back without end", () => {
    const far = { replies: { implementer: [limited("failed", 9 * 86_400_000)] } };
    expect(new Play({ policy: autopilot }, far).go().gate).toBe("provider_blocked");
    const always = { replies: { implementer: Array.from({ length: 40 }, () => limited()) } };
    const play = new Play({ policy: autopilot }, always).go();
    expect(play.gate).toBe("provider_blocked");
    expect(play.of("provider_limited")).toHaveLength(19);
  });
});
