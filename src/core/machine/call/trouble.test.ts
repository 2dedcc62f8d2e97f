import { describe, expect, it } from "vitest";
import { Play, autopilot, ref } from "../../../../tests/support/play.ts";
import { next, openGates } from "../index.ts";

describe("answers that bring nothing", () => {
  it("[R-24] blocked pauses at a gate and never goes on to verification", () => {
    const play = new Play(
      { policy: autopilot },
      { replies: { implementer: [{ status: "blocked", summary: "no access", payload: {} }] } },
    ).go();
    expect(play.gate).toBe("provider_blocked");
    expect(openGates(play.run)[0]?.subject.text).toContain("no access");
    expect(play.of("isolated_patch_captured")).toHaveLength(0);
  });

  it("[R-24] failed fails the run, whichever role says it", () => {
    for (const role of ["orchestrator", "implementer", "qa", "verifier"] as const) {
      const play = new Play({ policy: autopilot }, { replies: { [role]: [{ status: "failed", payload: {} }] } }).go();
      expect(play.run.phase).toMatchObject({
        state: "failed",
        stopReason: "provider_failed",
        failureClass: "provider_error",
      });
    }
  });

  it("[R-24] a blocked role reads what the person says and is asked again", () => {
    const play = new Play(
      { policy: autopilot },
      { replies: { implementer: [{ status: "blocked", payload: {} }, { payload: { status: "changed" } }] } },
    ).go();
    play.answer("revise", "the token is in the vault").go();
    expect(play.state).toBe("completed");
    expect(play.run.findings.some(({ message }) => message === "the token is in the vault")).toBe(true);
  });

  it("[R-21] an answer with another marker is refused, asked again, and repeated ones stop the run", () => {
    const replies = {
      verifier: [{ payload: { verdict: "approve", summary: "yes" }, ack: "run_other/nonce" }],
    };
    const play = new Play({ policy: autopilot }, { replies }).go();
    expect(play.gate).toBe("provider_blocked");
    expect(openGates(play.run)[0]).toMatchObject({ cause: "repeated_schema_failures", role: "verifier" });
    expect(openGates(play.run)[0]?.failureClass).toBe("schema_failure");
    const refused = play.of("agent_response").filter(({ outcome }) => outcome.result === "refused");
    expect(refused).toHaveLength(3);
    expect(play.of("run_completed")).toHaveLength(0);
  });

  it("[R-21] a stale answer of this same run does not count either", () => {
    const play = new Play({ policy: autopilot });
    while (play.run.phase.state !== "verifying" || play.run.asking === null)
      if (!play.step()) throw new Error("ended early");
    const stale = play.run.calls[0]?.directive?.ack.marker ?? "";
    play.step();
    const effect = next(play.run);
    if (effect?.kind !== "call_provider") throw new Error("no call");
    play.give({
      type: "call_posted",
      key: effect.key,
      record: { handle: null, promptSha256: "x", target: "t" },
    });
    play.give({
      type: "effect_done",
      key: effect.key,
      tookMs: 1,
      outcome: {
        kind: "call_provider",
        usage: { inputTokens: 0, outputTokens: 0, estimated: true },
        artifacts: [],
        outcome: {
          result: "answered",
          ref: ref("agent", "stale"),
          response: {
            contract: "qa_result",
            status: "ok",
            summary: "s",
            payload: { verdict: "pass", summary: "s", thehoodDirectiveAck: stale },
          },
        },
      },
    });
    expect(play.of("agent_response").at(-1)?.outcome).toMatchObject({
      result: "refused",
      reason: "ack_stale",
    });
  });

  it("[R-21] one good answer resets the count", () => {
    const bad = { trouble: "refused" as const };
    const good = { payload: { verdict: "needs_more_evidence", summary: "hm" } };
    const play = new Play({ policy: autopilot }, { replies: { qa: [bad, bad, good] } }).go();
    expect(play.state).toBe("completed");
  });

  it("[R-21] tells the role what was wrong with its last answer", () => {
    const play = new Play(
      { policy: autopilot },
      { replies: { qa: [{ trouble: "refused" }, { payload: { verdict: "pass", summary: "ok" } }] } },
    ).go();
    const drafts = play.effects.filter((one) => one.kind === "write_directive" && one.call.role === "qa");
    expect(JSON.stringify(drafts[1])).toContain("scripted refused");
  });

  it("a provider that could not be reached stops at a gate and costs no iteration", () => {
    const play = new Play(
      { policy: autopilot },
      {
        replies: { verifier: [{ trouble: "not_sent" }, { payload: { verdict: "approve", summary: "ok" } }] },
      },
    ).go();
    expect(play.gate).toBe("provider_blocked");
    expect(play.run.spent.responses).toBe(3);
    play.answer("approve").go();
    expect(play.state).toBe("completed");
  });

  it("[R-14] a call that gave no answer stops the run at a gate", () => {
    const replies = { orchestrator: [{ trouble: "failed" as const }] };
    expect(new Play({ policy: autopilot }, { replies }).go().gate).toBe("provider_blocked");
  });
});

describe("a call that was sent when the process died", () => {
  const posted = () => {
    const play = new Play({ policy: autopilot });
    for (;;) {
      const effect = next(play.run);
      if (effect?.kind === "call_provider" && effect.call.role === "implementer") {
        play.give({
          type: "call_posted",
          key: effect.key,
          record: { handle: null, promptSha256: "x", target: "t" },
        });
        return { play, effect };
      }
      if (!play.step()) throw new Error("ended early");
    }
  };

  it("[R-21] is looked for and never sent again automatically", () => {
    const { play, effect } = posted();
    const again = next(play.run);
    expect(again?.kind).toBe("reattach_call");
    expect(again?.key).toBe(effect.key);
    expect(
      play.refusal({
        type: "call_posted",
        key: effect.key,
        record: { handle: null, promptSha256: "x", target: "t" },
      }).code,
    ).toBe("conflict");
  });

  it("ends in doubt at a gate where only a person decides to retry or abort", () => {
    const { play, effect } = posted();
    const outcome = {
      kind: "reattach_call" as const,
      outcome: { result: "in_doubt" as const, why: "gone" },
      usage: { inputTokens: 0, outputTokens: 0, estimated: true },
      artifacts: [],
    };
    play.give({ type: "effect_done", key: effect.key, tookMs: 1, outcome });
    expect(play.gate).toBe("provider_in_doubt");
    expect(openGates(play.run)[0]?.answers).toEqual(["retry", "abort"]);
    const before = play.of("provider_wait_posted").length;
    expect(play.go().of("provider_wait_posted")).toHaveLength(before);
    play.answer("retry").go();
    expect(play.state).toBe("completed");
    expect(
      play.run.calls.filter(({ record }) => record.role === "implementer").map(({ record }) => record.retryOf),
    ).toEqual([null, effect.call.callId]);
  });

  it("its answer is taken when it comes, once", () => {
    const { play, effect } = posted();
    const marker = play.run.calls.at(-1)?.directive?.ack.marker ?? "";
    const outcome = {
      kind: "reattach_call" as const,
      usage: { inputTokens: 1, outputTokens: 1, estimated: false },
      artifacts: [],
      outcome: {
        result: "answered" as const,
        ref: ref("agent", "late"),
        response: {
          contract: "implementation_result" as const,
          status: "ok" as const,
          summary: "s",
          payload: { status: "changed" as const, thehoodDirectiveAck: marker },
        },
      },
    };
    const command = { type: "effect_done" as const, key: effect.key, tookMs: 1, outcome };
    play.give(command);
    expect(play.refusal(command).code).toBe("conflict");
  });

  it("an outcome after an abort changes nothing", () => {
    const { play, effect } = posted();
    play.give({ type: "abort", reason: "stop", by: { kind: "person", surface: "cli" } });
    const outcome = {
      kind: "call_provider" as const,
      outcome: { result: "failed" as const, why: "x", timedOut: false },
      usage: { inputTokens: 0, outputTokens: 0, estimated: true },
      artifacts: [],
    };
    expect(play.refusal({ type: "effect_done", key: effect.key, tookMs: 1, outcome }).code).toBe("conflict");
    expect(play.run.phase).toMatchObject({ state: "aborted", stopReason: "user_abort" });
  });

  it("an outcome of the wrong kind is refused", () => {
    const { play, effect } = posted();
    expect(
      play.refusal({
        type: "effect_done",
        key: effect.key,
        tookMs: 1,
        outcome: { kind: "retire_workspace", keptRefs: [] },
      }).code,
    ).toBe("conflict");
  });

  it("an effect that fails before anything was sent is not in doubt", () => {
    const play = new Play({ policy: autopilot });
    for (;;) {
      const effect = next(play.run);
      if (effect?.kind === "call_provider") {
        play.give({
          type: "effect_done",
          key: effect.key,
          tookMs: 1,
          outcome: {
            kind: "effect_failed",
            code: "provider_unavailable",
            message: "not installed",
            remedy: "install it",
          },
        });
        break;
      }
      if (!play.step()) throw new Error("ended early");
    }
    expect(play.gate).toBe("provider_blocked");
  });
});
