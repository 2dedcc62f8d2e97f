import { describe, expect, it } from "vitest";
import type { Actor, RunCommand, SummonRequest } from "../../contract/index.ts";
import { type Cast, Play, agent, autopilot, creation, ref, summonRequest } from "../../../../tests/support/play.ts";
import { defaultPolicy, next, openGates, reviewLanes } from "../index.ts";

const by: Actor = { kind: "person", surface: "cli" };
const summon = (more: Partial<SummonRequest> = {}): Extract<RunCommand, { type: "summon" }> => ({
  type: "summon",
  request: summonRequest(more),
  by,
});
const done = (cast: Cast = {}) => new Play({ policy: autopilot }, cast).go();

describe("summons", () => {
  it("[R-50] work on a run at a gate and on one that has ended, and move no state", () => {
    for (const play of [new Play().go(), done()]) {
      const before = { phase: play.run.phase, passes: play.run.passes, responses: play.run.spent.responses };
      play.give(summon()).go();
      expect(play.run.phase).toEqual(before.phase);
      expect(play.run.passes).toEqual(before.passes);
      expect(play.run.spent.responses).toBe(before.responses);
      expect(play.run.side.tasks[0]?.end).toMatchObject({ outcome: "completed" });
    }
  });

  it("[R-47] a summoned verifier that approves satisfies nothing", () => {
    const play = new Play(
      { policy: autopilot },
      {
        replies: {
          verifier: [
            { payload: { verdict: "approve", summary: "yes" } },
            { payload: { verdict: "ask_user", summary: "hm" } },
          ],
        },
      },
    );
    while (play.state !== "verifying") play.step();
    play.give(summon({ role: "verifier", kind: "review" })).go();
    expect(play.of("agent_response").filter(({ lane }) => lane === "side")).toHaveLength(1);
    expect(play.gate).toBe("verifier_verdict");
    const lane = reviewLanes(play.run).find(({ id }) => id === "verifier");
    expect(lane).toMatchObject({ satisfied: false, beside: [expect.stringMatching(/^sha256:/)] });
  });

  it("[R-50] receive brief, kind, persona and constraints, get no tools to edit or run, and may have a provider of their own", () => {
    const play = done()
      .give(
        summon({
          role: "qa",
          persona: "a grumpy admin",
          constraints: ["be short"],
          agent: agent("stub:guest"),
        }),
      )
      .go();
    const effect = play.effects.findLast((one) => one.kind === "write_directive");
    expect(effect?.draft.toolPermissions).toEqual({ read: true, edit: false, run: false, network: false });
    expect(JSON.stringify(effect)).toContain("a grumpy admin");
    expect(effect?.call.assignment.assignment).toBe("stub:guest");
    expect(play.run.roles.qa?.assignment).toBe("stub:qa");
  });

  it("[R-2] the run's implementer cannot be summoned to verify it", () => {
    expect(done().refusal(summon({ role: "verifier", agent: agent("stub:implementer") })).code).toBe("invalid_input");
  });

  it("[R-50] name only evidence of this run", () => {
    const play = done();
    expect(play.refusal(summon({ evidenceRefs: [ref("log", "elsewhere").ref] })).code).toBe("invalid_input");
    const known = play.run.artifacts[0]?.ref ?? "";
    play.give(summon({ evidenceRefs: [known] })).go();
    expect(play.run.side.tasks[0]?.end?.outcome).toBe("completed");
  });

  it("[R-60] a model-backed one asks at a gate of its own, which does not hold the loop", () => {
    const play = new Play().go();
    play.give(summon({ agent: agent("codex-cli:spark") })).go();
    expect(openGates(play.run).map(({ kind, lane }) => `${lane} ${kind}`)).toEqual([
      "main implementation_start",
      "side summon_provider_invocation",
    ]);
    play.answer("approve").go();
    expect(play.gate).toBe("isolated_patch_application");
    expect(play.run.side.tasks[0]?.end).toBeNull();
  });

  it.each(["refused", "failed", "in_doubt", "not_sent"] as const)(
    "[R-50] one that is %s ends alone, is not repeated, and leaves the run alone",
    (trouble) => {
      const play = done({ replies: { critic: [{ trouble }] } });
      play.give(summon()).go();
      expect(play.state).toBe("completed");
      expect(play.run.side.tasks[0]?.end?.outcome).toBe("failed");
      expect(play.of("agent_asked").filter(({ call }) => call.lane === "side")).toHaveLength(1);
    },
  );

  it("a run whose tokens are used up summons no agent", () => {
    const play = new Play(
      { policy: { ...autopilot, budgets: { ...autopilot.budgets, maxTokens: 40 } } },
      { tokens: 10 },
    ).go();
    expect(play.refusal(summon()).code).toBe("approval_required");
  });
});

describe("fan-outs", () => {
  const fan = (...items: SummonRequest[]): Extract<RunCommand, { type: "fanout" }> => ({
    type: "fanout",
    items,
    by,
  });

  it("[R-51] run their items in order and write one group artifact", () => {
    const play = done()
      .give(
        fan(summonRequest({ role: "qa" }), summonRequest({ role: "critic" }), summonRequest({ role: "orchestrator" })),
      )
      .go();
    const group = play.of("agent_fanout_completed")[0];
    expect(group?.status).toBe("completed");
    expect(play.json(group?.artifact)).toMatchObject({
      kind: "fanout",
      bounds: { requestedItems: 3, executedItems: 3, hardMaxItems: 8 },
      safety: { canSatisfyRequiredGates: false },
    });
    expect(
      play
        .of("agent_asked")
        .slice(-3)
        .map(({ call }) => call.role),
    ).toEqual(["qa", "critic", "orchestrator"]);
  });

  it("[R-51] are refused over the cap of the configuration, and never take more than 8", () => {
    const play = new Play({ policy: { ...autopilot, fanoutMaxItems: 2 } }).go();
    expect(play.refusal(fan(summonRequest(), summonRequest(), summonRequest())).code).toBe("invalid_input");
    const many = (count: number) => fan(...Array.from({ length: count }, () => summonRequest()));
    const wide = new Play({ policy: { ...autopilot, fanoutMaxItems: 8 } }).go();
    expect(wide.refusal(many(9)).code).toBe("invalid_input");
    expect(wide.give(many(8)).run.side.tasks).toHaveLength(8);
  });

  it("[R-51] an advisory failure does not stop the later items", () => {
    const play = done({ replies: { critic: [{ trouble: "failed" }] } })
      .give(fan(summonRequest({ role: "critic" }), summonRequest({ role: "qa" })))
      .go();
    expect(play.run.side.tasks.map(({ end }) => end?.outcome)).toEqual(["failed", "completed"]);
    expect(play.of("agent_fanout_completed")[0]?.status).toBe("failed");
  });

  it("[R-51] a gate stops the later items until it is answered, and for good when it is refused", () => {
    const play = new Play().go().answer("approve").go().answer("approve").go();
    expect(play.state).toBe("completed");
    play.give(fan(summonRequest({ agent: agent("codex-cli:a") }), summonRequest({ role: "qa" }))).go();
    expect(play.gate).toBe("summon_provider_invocation");
    expect(play.run.side.tasks.map(({ end }) => end)).toEqual([null, null]);
    play.answer("reject", "no").go();
    expect(play.run.side.tasks.map(({ end }) => end?.outcome)).toEqual(["blocked", "stopped"]);
    expect(play.of("agent_fanout_completed")[0]?.status).toBe("blocked");
    expect(
      play
        .of("provider_wait_posted")
        .filter(({ callId }) => play.run.calls.find(({ record }) => record.callId === callId)?.record.lane === "side"),
    ).toHaveLength(0);
  });
});

describe("reconciliation", () => {
  it("[R-76] sends the packet of a completed run to the planner or orchestrator and keeps the validated answer", () => {
    const answer = {
      status: "partial",
      completedPlanItems: ["login"],
      openCriteria: ["logout"],
      deviations: ["renamed"],
      nextRecommendedSlice: { objective: "logout" },
    };
    const play = done({
      replies: {
        orchestrator: [
          { payload: { action: "delegate", reason: "go", delegateTo: "implementer" } },
          { payload: answer },
        ],
      },
    });
    play.give({ type: "reconcile", role: null, by }).go();
    expect(play.of("reconciliation_completed")[0]).toMatchObject({ status: "partial" });
    const asked = play.effects.findLast((one) => one.kind === "write_directive");
    expect(asked?.draft.attachments.map(({ ref: one }) => one)).toEqual([play.run.packet]);
    expect(asked?.call.contract).toBe("reconciliation_result");
    expect(play.state).toBe("completed");
  });

  it("[R-76] only completed runs are reconciled", () => {
    expect(new Play().go().refusal({ type: "reconcile", role: null, by }).code).toBe("illegal_transition");
  });

  it("[R-65] a packet that would leave the machine waits for its manifest", () => {
    const roles = {
      ...creation().roles,
      planner: agent("anthropic-api:big", { boundary: "external", modelBacked: true }),
    };
    const play = new Play({ roles }).through(
      "provider_invocation",
      "repo_context_external_transfer",
      "implementation_start",
      "isolated_patch_application",
    );
    expect(play.state).toBe("completed");
    play.give({ type: "reconcile", role: "planner", by }).go();
    expect(play.gate).toBe("summon_provider_invocation");
    play.answer("approve").go();
    expect(play.gate).toBe("progress_packet_external_transfer");
    expect(openGates(play.run)[0]?.phrase).toBe("send progress packet to anthropic-api");
  });
});

describe("commands and evidence beside the loop", () => {
  const exec = (more = {}): Extract<RunCommand, { type: "exec" }> => ({
    type: "exec",
    argv: ["git", "status"],
    cwd: "",
    allowRisky: false,
    by,
    ...more,
  });
  const risky = {
    command: (effect: { allowed: boolean; argv: readonly string[]; cwd: string; kind: "run_command" }) =>
      effect.allowed
        ? {
            kind: "run_command" as const,
            command: {
              argv: [...effect.argv],
              cwd: effect.cwd,
              exitCode: 3,
              ended: "exited" as const,
              durationMs: 1,
              stdout: null,
              stderr: null,
              permission: {
                decision: "allowed_explicit_user" as const,
                class: "destructive" as const,
                why: "",
              },
              sandbox: "none",
            },
          }
        : { kind: "run_command_gated" as const, class: "destructive", why: "removes files" },
  };

  it("[R-33] a harmless command runs and is recorded", () => {
    const play = done().give(exec()).go();
    expect(play.of("command_executed")[0]?.command).toMatchObject({
      argv: ["git", "status"],
      permission: { decision: "allowed" },
    });
    expect(play.state).toBe("completed");
  });

  it("[R-60] a risky one waits at a gate with its class in the phrase", () => {
    const play = done(risky)
      .give(exec({ argv: ["rm", "-rf", "build"] }))
      .go();
    expect(openGates(play.run)[0]).toMatchObject({
      kind: "risky_command",
      phrase: "run destructive command",
    });
    expect(play.of("command_executed")).toHaveLength(0);
    play.answer("approve").go();
    expect(play.run.side.tasks[0]).toMatchObject({ command: { exitCode: 3 }, end: { outcome: "failed" } });
  });

  it("one that was begun is never begun again: its job ends when its process is gone", () => {
    const lost = {
      command: ({ begun }: { begun: boolean }) => {
        if (!begun) throw new Error("it was started a second time");
        return { kind: "effect_failed" as const, code: "conflict", message: "unknown", remedy: null };
      },
    };
    const play = done(lost).give(exec({ allowRisky: true }));
    const key = next(play.run)?.key ?? "";
    play.give({ type: "command_begun", key });
    expect(play.refusal({ type: "command_begun", key }).code).toBe("conflict");
    play.go();
    expect(play.run.side.tasks[0]?.end).toMatchObject({ outcome: "failed", why: "unknown" });
    expect(play.of("command_begun")).toHaveLength(1);
  });

  it("[R-60] a refused one never runs, and a host cannot allow it", () => {
    const play = done(risky).give(exec()).go();
    play.answer("reject", "no").go();
    expect(play.of("command_executed")).toHaveLength(0);
    expect(play.refusal(exec({ allowRisky: true, by: { kind: "host", surface: "mcp" } })).code).toBe(
      "permission_denied",
    );
  });

  it("[R-70] evidence is captured on request", () => {
    const play = new Play({ policy: defaultPolicy }).go().give({ type: "capture_evidence", by }).go();
    expect(play.of("git_evidence_captured").map(({ moment }) => moment)).toEqual(["before", "asked"]);
    expect(play.gate).toBe("implementation_start");
  });

  it("[R-45] the board is exported as a bounded artifact", () => {
    const play = done().give({ type: "export_board", by });
    const board = play.of("agent_board_written")[0]?.artifact;
    expect(board?.bytes).toBeLessThan(8_000);
    expect(play.json(board)).toMatchObject({
      kind: "agent_board",
      cards: expect.any(Array),
      table: { rows: expect.any(Array) },
    });
  });

  it("an abort of the run stops what waits beside it, and nothing of it is sent", () => {
    const play = new Play().go().give(summon()).give({ type: "abort", reason: "no", by }).go();
    expect(play.state).toBe("aborted");
    expect(play.run.side.tasks[0]?.end?.outcome).toBe("stopped");
    expect(play.of("provider_wait_posted").map(({ callId }) => callId)).not.toContain(play.run.side.tasks[0]?.callId);
  });
});
