import { describe, expect, it } from "vitest";
import { Play, agent, autopilot, creation } from "../../../../tests/support/play.ts";
import { nextActions, openGates } from "../index.ts";

const failed = { trouble: "failed" as const };
const approve = { payload: { verdict: "approve", summary: "holds" } };
const person = { kind: "person", surface: "cli" } as const;

describe("[B-11] an agent that fails", () => {
  it.each(["orchestrator", "implementer", "verifier"] as const)(
    "as %s: the run waits, and the same question goes on with another agent",
    (role) => {
      const reply = {
        orchestrator: { payload: { action: "delegate", reason: "go", delegateTo: "implementer" } },
        implementer: { payload: { status: "changed" } },
        verifier: approve,
      }[role];
      const play = new Play({ policy: autopilot }, { replies: { [role]: [failed, reply] } }).go();
      expect(play.gate).toBe("provider_blocked");
      const gate = openGates(play.run)[0];
      expect(gate).toMatchObject({ title: "An agent gave no answer", role, cause: "provider_failed" });
      expect(nextActions(play.run).map(({ command }) => command)).toContainEqual({
        suggest: "assign_role",
        role,
        runId: play.run.runId,
      });
      play.give({ type: "switch_role", role, assignment: agent("stub:other"), by: person });
      // A switch of a role that steers is a gate of its own, and it comes first: it is the one that helps.
      const steers = role !== "implementer";
      const kinds = steers ? ["role_switch", "provider_blocked"] : ["provider_blocked"];
      expect(openGates(play.run).map(({ kind }) => kind)).toEqual(kinds);
      if (steers) play.answer("approve");
      play.answer("approve").go();
      expect(play.state).toBe("completed");
      const calls = play.of("agent_asked").filter(({ call }) => call.role === role);
      expect(calls.map(({ call }) => call.assignment.assignment)).toEqual([`stub:${role}`, "stub:other"]);
      expect(calls[1]?.call.retryOf).toBe(calls[0]?.call.callId);
    },
  );

  it("hands over by the user's list, in its order, and on record", () => {
    const fallbacks = { verifier: [agent("stub:second"), agent("stub:third")] };
    const play = new Play({ policy: autopilot, fallbacks }, { replies: { verifier: [failed, failed, approve] } }).go();
    expect(play.state).toBe("completed");
    expect(play.of("role_assigned")).toMatchObject([
      { role: "verifier", assignment: { assignment: "stub:second" }, by: { kind: "policy" } },
      { role: "verifier", assignment: { assignment: "stub:third" }, by: { kind: "policy" } },
    ]);
    const replaced = play.run.findings.filter(({ kind }) => kind === "agent_replaced");
    expect(replaced.map(({ message }) => message)[0]).toContain("stub:second takes the role up");
  });

  it("passes over the worker, the verifier, agents that cannot edit, and agents that failed before", () => {
    const fallbacks = {
      implementer: [agent("stub:verifier"), agent("stub:talker", { edits: "none" }), agent("stub:helper")],
      verifier: [agent("stub:implementer"), agent("stub:helper"), agent("stub:verifier")],
    };
    const play = new Play(
      { policy: autopilot, fallbacks },
      { replies: { implementer: [failed, { payload: { status: "changed" } }], verifier: [failed] } },
    ).go();
    expect(play.of("role_assigned").map(({ role, assignment }) => [role, assignment.assignment])).toEqual([
      ["implementer", "stub:helper"],
    ]);
    expect(play.gate).toBe("provider_blocked");
    expect(openGates(play.run)[0]?.role).toBe("verifier");
  });

  it("that keeps breaking its contract is replaced, and the next one is counted anew", () => {
    const bad = { trouble: "refused" as const };
    const play = new Play(
      { policy: autopilot, fallbacks: { verifier: [agent("stub:second")] } },
      { replies: { verifier: [bad, bad, bad, bad, bad, approve] } },
    ).go();
    expect(play.state).toBe("completed");
    expect(play.of("role_assigned")).toHaveLength(1);
  });

  it("[B-3] the agents of the list stand on the start sheet, and are agreed to with it", () => {
    const roles = { ...creation().roles, verifier: agent("codex-cli:check", { modelBacked: true }) };
    const second = agent("claude-cli:opus", { modelBacked: true, boundary: "external" });
    const play = new Play({ roles, fallbacks: { verifier: [second] } }, { replies: { verifier: [failed, approve] } });
    play.go();
    const sheet = openGates(play.run)[0];
    expect(sheet?.subject.text).toContain("if it fails: claude-cli:opus (external: sends");
    expect(sheet?.agreement?.uses).toContain("verifier claude-cli:opus");
    expect(sheet?.phrase).toContain("invoke claude-cli");
    play.answer("approve").go();
    expect(play.of("role_assigned")).toHaveLength(1);
    expect(play.gate).toBe("run_evidence_external_transfer");
    play.answer("approve").go();
    expect(play.gate).toBe("isolated_patch_application");
  });
});

describe("[B-12] budgets that are used up", () => {
  const limited = (budgets: object) => ({ ...autopilot, budgets: { ...autopilot.budgets, ...budgets } });

  it("warn before the worker is asked, and offer more answers before the last verifier", () => {
    const play = new Play({ policy: limited({ maxIterations: 3 }) }).go();
    expect(play.run.findings.find(({ kind }) => kind === "budget")?.message).toContain(
      "2 of 3 model calls are left, and this pass may need 4",
    );
    expect(play.gate).toBe("answer_budget");
    const [, answer] = nextActions(play.run);
    expect(answer?.command).toMatchObject({ answer: "extend", addAnswers: 2 });
    play.answer("extend", "", { addAnswers: 2 }).go();
    expect(play.state).toBe("completed");
    expect(play.run.limits.responses).toBe(5);
  });

  it("an amount of another budget extends nothing", () => {
    const play = new Play({ policy: limited({ maxIterations: 3 }) }).go();
    const gate = openGates(play.run)[0];
    const given = { type: "answer", answer: "extend", message: "", by: person, addTokens: 9 } as const;
    const refused = play.refusal({
      ...given,
      gateId: gate?.id ?? "",
      subjectSha256: gate?.subject.sha256 ?? "",
    });
    expect(refused.code).toBe("invalid_input");
  });

  it("a call that ends with the budget is asked again, and its agent is not replaced", () => {
    const play = new Play(
      { policy: limited({ maxTokens: 25 }), fallbacks: { implementer: [agent("stub:other")] } },
      { tokens: 15, replies: { implementer: [failed, { payload: { status: "changed" } }] } },
    ).go();
    expect(play.gate).toBe("token_budget");
    expect(openGates(play.run)[0]?.subject.text).toContain("The implementer (stub:implementer) brought no answer");
    play.answer("extend", "", { addTokens: 1_000 }).go();
    expect(play.state).toBe("completed");
    expect(play.of("role_assigned")).toHaveLength(0);
  });
});
