// A call whose effect fails: sent or not sent is what the log says, and a call that was sent is never sent again.
import { describe, expect, it } from "vitest";
import type { Effect } from "../../contract/index.ts";
import { Play, autopilot } from "../../../../tests/support/play.ts";
import { due } from "../index.ts";

/** Up to the first call that is due. */
function untilCall(): { play: Play; effect: Extract<Effect, { kind: "call_provider" }> } {
  const play = new Play({ policy: autopilot });
  for (;;) {
    const effect = due(play.run).find(({ kind }) => kind === "call_provider");
    if (effect?.kind === "call_provider") return { play, effect };
    if (!play.step()) throw new Error("no call is due");
  }
}

const failed = (key: string) =>
  ({
    type: "effect_done",
    key,
    tookMs: 1,
    outcome: { kind: "effect_failed", code: "provider_error", message: "the line broke", remedy: "wait" },
  }) as const;

const outcomeOf = (play: Play) => play.of("agent_response")[0]?.outcome;

describe("[R-14] [R-21] a call that fails on our side", () => {
  it("before it was posted was not sent, and may be sent", () => {
    const { play, effect } = untilCall();
    play.give(failed(effect.key));
    expect(outcomeOf(play)).toMatchObject({ result: "not_sent", remedy: "wait" });
  });

  it("after it was posted is in doubt: its arrival is unknown, so it is not sent a second time", () => {
    const { play, effect } = untilCall();
    expect(play.send()).toBe(true);
    play.give(failed(effect.key));
    expect(outcomeOf(play)).toMatchObject({ result: "in_doubt", why: "the line broke" });
    expect(due(play.run).filter(({ kind }) => kind === "call_provider")).toEqual([]);
    expect(play.gate).toBeDefined();
  });
});
