import { describe, expect, expectTypeOf, it } from "vitest";
import {
  Play,
  agent,
  autopilot,
  check,
  creation,
  early,
  earlyAutopilot,
  ref,
  deps,
} from "../../../tests/support/play.ts";
import { type Successor, compactStatus, decideCreate, defaultPolicy, next, openGates, successors } from "./index.ts";

const person = { kind: "person", surface: "cli" } as const;
const budget = (more: Partial<typeof defaultPolicy.budgets>) => ({
  ...autopilot,
  budgets: { ...autopilot.budgets, ...more },
});

describe("the loop of an implementation", () => {
  it("[R-11] goes from goal to verified work by way of two gates, and asks for nothing else", () => {
    const play = new Play().go();
    expect(play.gate).toBe("implementation_start");
    play.answer("approve").go();
    expect(play.gate).toBe("isolated_patch_application");
    play.answer("approve").go();
    expect(play.state).toBe("completed");
    const order = [
      "run_ready",
      "checks_discovered",
      "check_executed",
      "plan_recorded",
      "isolated_patch_captured",
      "integration_patch_prepared",
    ];
    const rest = [
      "validation_evidence_captured",
      "review_routing_decided",
      "checkout_looked",
      "patch_applied",
      "run_completed",
    ];
    const at = [...order, ...rest].map((type) => play.types().indexOf(type as never));
    expect(at).toEqual([...at].sort((a, b) => a - b));
    expect(at).not.toContain(-1);
    const roles = play.of("agent_asked").map(({ call }) => call.role);
    expect(roles).toEqual(["orchestrator", "implementer", "qa", "verifier"]);
  });

  it("[R-10] passes only through successors the table names, and ends for good", () => {
    const play = new Play({ policy: autopilot }).go();
    for (const { from, to } of play.of("state_changed")) expect(successors[from]).toContain(to);
    expect(play.state).toBe("completed");
    const end = play.refusal({ type: "abort", reason: "too late", by: { kind: "person", surface: "cli" } });
    expect(end.code).toBe("illegal_transition");
    expect(next(play.run)).toBeUndefined();
  });

  it("[R-10] the types allow no other successor, also where the phase may be one of several", () => {
    expectTypeOf<Successor<"created">>().toEqualTypeOf<"planning">();
    expectTypeOf<Successor<"integrating">>().toEqualTypeOf<"implementing" | "verifying">();
    expectTypeOf<Successor<"planning" | "delegating">>().toEqualTypeOf<"planning" | "implementing" | "verifying">();
    expectTypeOf<Successor<"created" | "verifying">>().toEqualTypeOf<never>();
  });

  it("[R-11] lets a planner plan and the orchestrator delegate when both are assigned", () => {
    const roles = { ...creation().roles, planner: agent("stub:planner") };
    const play = new Play({ policy: autopilot, roles }).go();
    const asked = play.of("agent_asked").map(({ call }) => `${call.role}/${call.phase}`);
    expect(asked.slice(0, 3)).toEqual(["planner/plan", "orchestrator/delegate", "implementer/implement"]);
    expect(play.state).toBe("completed");
  });

  it("[R-13] puts state, plan, findings, diff, logs, verdicts, questions and budget into a reviewer's directive", () => {
    const play = new Play(
      { policy: autopilot },
      {
        replies: {
          orchestrator: [
            {
              payload: {
                action: "delegate",
                reason: "go",
                delegateTo: "implementer",
                openQuestions: ["which browser?"],
              },
            },
          ],
        },
      },
    ).go();
    const effect = play.effects.findLast((one) => one.kind === "write_directive" && one.call.role === "verifier");
    if (effect?.kind !== "write_directive") throw new Error("no directive");
    const { variables, attachments } = effect.draft;
    const context = variables["context"] as Record<string, unknown>;
    expect(context["state"]).toBe("verifying");
    expect(context["plan"]).not.toBeNull();
    expect(context["openQuestions"]).toEqual(["which browser?"]);
    expect(context["remainingBudget"]).toMatchObject({ iterations: 9 });
    expect(context["verdicts"]).toMatchObject({ qa: "pass" });
    const names = attachments.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(["plan", "diff", "npm:test base stdout", "npm:test patched stdout", "qa response"]),
    );
    expect((variables["run"] as Record<string, unknown>)["stopConditions"]).toContain("max_iterations");
  });

  it("[R-20] the orchestrator's directive names its crew: each role with its agent, also those without one", () => {
    const play = new Play({ policy: autopilot }).go();
    const crewIn = (role: string) => {
      const effect = play.effects.find((one) => one.kind === "write_directive" && one.call.role === role);
      return effect?.kind === "write_directive" ? (effect.draft.variables["crew"] as { role: string }[]) : undefined;
    };
    const crew = Object.fromEntries((crewIn("orchestrator") ?? []).map((row) => [row.role, row]));
    for (const [role, assigned] of Object.entries(play.run.roles))
      expect(crew[role], role).toMatchObject({ assignment: assigned.assignment, filledBy: "agent" });
    expect(crew["researcher"]).toMatchObject({ assignment: null, filledBy: null, edits: false });
    expect(crew["integrator"]).toMatchObject({ assignment: null, filledBy: "runtime" });
    expect(Object.keys(crew)).toHaveLength(9);
    // A reviewer chooses no role and learns nothing of the others.
    expect(crewIn("verifier")).toBeUndefined();
    expect(crewIn("implementer")).toBeUndefined();
  });

  it("[R-6] gives the worker the decided slice, its criteria and its paths", () => {
    const task = {
      objective: "fix the race",
      allowedPaths: ["src/**"],
      disallowedPaths: ["src/db/**"],
      acceptanceCriteria: ["no sleep"],
    };
    const play = new Play(
      { policy: autopilot },
      {
        replies: {
          orchestrator: [{ payload: { action: "delegate", reason: "go", delegateTo: "implementer", task } }],
        },
      },
    ).go();
    const judged = play.effects.find((one) => one.kind === "judge_patch");
    expect(judged).toMatchObject({ taskPaths: ["src/**"], taskDisallowedPaths: ["src/db/**"] });
    const directive = play.effects.find((one) => one.kind === "write_directive" && one.call.role === "implementer");
    expect(JSON.stringify(directive)).toContain("fix the race");
    expect(JSON.stringify(directive)).toContain("no sleep");
  });

  it("[R-15] does not make the call that would exceed maxIterations, asks, and fails by its name when the limit is not raised", () => {
    const play = new Play({ policy: budget({ maxIterations: 3 }) }).go();
    expect(play.gate).toBe("answer_budget");
    expect(play.of("agent_asked")).toHaveLength(3);
    play.answer("abort", "");
    expect(play.run.phase).toMatchObject({
      state: "failed",
      stopReason: "max_iterations",
      failureClass: "budget_exhausted",
    });
    expect(play.of("agent_response")).toHaveLength(3);
    expect(play.of("agent_asked")).toHaveLength(3);
  });

  it.each([
    ["reject at the gate", (play: Play) => play.answer("reject", "enough")],
    ["abort at the gate", (play: Play) => play.answer("abort", "enough")],
    ["the command abort", (play: Play) => play.give({ type: "abort", by: person, reason: "enough" })],
  ] as const)("[R-15] %s ends a run without answers left as failed, by its name and class", (_, end) => {
    const play = end(new Play({ policy: budget({ maxIterations: 3 }) }).go());
    expect(play.run.phase).toMatchObject({
      state: "failed",
      stopReason: "max_iterations",
      failureClass: "budget_exhausted",
    });
    expect(play.run.phase).toHaveProperty("message", expect.stringContaining("enough"));
    expect(compactStatus(play.run)).toMatchObject({ stopReason: "max_iterations", failureClass: "budget_exhausted" });
  });

  it("[R-15] the command abort ends a run that still has answers as aborted", () => {
    const play = new Play().go();
    play.give({ type: "abort", by: person, reason: "" });
    expect(play.run.phase).toMatchObject({ state: "aborted", stopReason: "user_abort" });
  });

  it("[R-15] counts refused answers too, so that nonsense cannot be answered for free", () => {
    const play = new Play(
      { policy: budget({ maxIterations: 2, maxSchemaFailures: 9 }) },
      { replies: { orchestrator: [{ trouble: "refused" }] } },
    ).go();
    expect(play.gate).toBe("answer_budget");
    expect(play.of("agent_response")).toHaveLength(2);
  });

  it("[R-14] pauses at the token budget and goes on from there when a person extends it", () => {
    const play = new Play({ policy: budget({ maxTokens: 25 }) }, { tokens: 10 }).go();
    expect(play.gate).toBe("token_budget");
    expect(play.of("agent_response")).toHaveLength(3);
    expect(
      play.refusal({
        type: "answer",
        gateId: openGates(play.run)[0]?.id ?? "",
        subjectSha256: openGates(play.run)[0]?.subject.sha256 ?? "",
        answer: "extend",
        message: "",
        by: { kind: "person", surface: "cli" },
      }).code,
    ).toBe("invalid_input");
    play.answer("extend", "", { addTokens: 1_000 }).go();
    expect(play.state).toBe("completed");
  });

  it.each([
    [30, 3],
    [31, 4],
  ])("[R-14] with %i tokens and 10 for each answer no agent is asked after answer %i", (maxTokens, answers) => {
    const play = new Play({ policy: budget({ maxTokens }) }, { tokens: 10 }).go();
    expect(play.of("agent_response")).toHaveLength(answers);
  });

  it("[R-14] pauses at the time budget, counting work and waiting but not standing at gates", () => {
    const play = new Play(
      { policy: { ...early, budgets: { ...early.budgets, maxMinutes: 1 } } },
      { tookMs: 25_000 },
    ).go();
    play.now += 3_600_000;
    play.answer("approve").go();
    expect(play.gate).toBe("isolated_patch_application");
    play.answer("approve").go();
    expect(play.gate).toBe("time_budget");
    play.answer("extend", "", { addMinutes: 60 }).go();
    expect(play.state).toBe("completed");
  });

  it("[R-14] never lets a call outlive the time that is left", () => {
    const play = new Play(
      { policy: { ...autopilot, budgets: { ...autopilot.budgets, maxMinutes: 1 } } },
      { tookMs: 20_000 },
    ).go();
    const calls = play.effects.filter((one) => one.kind === "call_provider");
    expect(calls.map(({ timeoutMs }) => timeoutMs)).toEqual([40_000, 20_000]);
  });

  it("a run that is already done completes although its last call used the budget up", () => {
    const play = new Play({ policy: budget({ maxTokens: 40 }) }, { tokens: 10 }).go();
    expect(play.state).toBe("completed");
  });

  it("[R-2] refuses a run whose implementer and verifier are one agent under two names", () => {
    const roles = {
      ...creation().roles,
      implementer: agent("codex-cli:configured", { identity: "codex" }),
      verifier: agent("codex-cli:default", { identity: "codex" }),
    };
    const decision = decideCreate(creation({ roles }), "run_test00000001", 1, deps);
    expect(decision).toMatchObject({ ok: false, refusal: { code: "invalid_input" } });
  });

  it("[R-12] refuses to edit outside a git repository and says what to do", () => {
    const decision = decideCreate(creation({ baseCommit: null, baseTree: null }), "run_test00000001", 1, deps);
    expect(decision).toMatchObject({
      ok: false,
      refusal: { code: "not_a_repository", remedy: expect.stringContaining("git init") },
    });
  });

  it("[R-40] stops for the user when no agent is assigned to verify, and goes on when one is", () => {
    const { verifier: _, ...roles } = creation().roles;
    const play = new Play({ policy: autopilot, roles }).go();
    expect(play.gate).toBe("verifier_unassigned");
    const gate = openGates(play.run)[0];
    expect(
      play.refusal({
        type: "answer",
        gateId: gate?.id ?? "",
        subjectSha256: gate?.subject.sha256 ?? "",
        answer: "approve",
        message: "",
        by: { kind: "person", surface: "cli" },
      }).code,
    ).toBe("invalid_input");
    play.give({
      type: "switch_role",
      role: "verifier",
      assignment: agent("stub:other"),
      by: { kind: "person", surface: "cli" },
    });
    const open = openGates(play.run).find(({ kind }) => kind === "role_switch");
    play.give({
      type: "answer",
      gateId: open?.id ?? "",
      subjectSha256: open?.subject.sha256 ?? "",
      answer: "approve",
      message: "switch verifier to stub:other",
      by: { kind: "person", surface: "cli" },
    });
    play.answer("approve").go();
    expect(play.state).toBe("completed");
  });

  it("[R-17] an unsafe repository ends the run before git is asked anything", () => {
    const play = new Play({}, { inspection: { safe: false, problems: ["core.fsmonitor runs a program"] } }).go();
    expect(play.run.phase).toMatchObject({
      state: "failed",
      stopReason: "unsafe_repository",
      failureClass: "permission_denied",
    });
    expect(play.effects.map(({ kind }) => kind)).toEqual(["inspect_repository"]);
  });

  it("[R-70] evidence that could not be taken is a failure, not evidence of nothing", () => {
    const play = new Play();
    play.step();
    play.give({
      type: "effect_done",
      key: "git:before",
      tookMs: 1,
      outcome: {
        kind: "capture_git_evidence",
        evidence: {
          summary: ref("evidence", "x"),
          status: null,
          diff: null,
          changedPaths: [],
          ok: false,
          head: null,
        },
      },
    });
    expect(play.run.phase).toMatchObject({ state: "failed", stopReason: "command_failure" });
  });

  it("[R-31] captures a repair against what is already in the checkout", () => {
    const play = new Play(
      { policy: earlyAutopilot },
      {
        replies: {
          verifier: [
            { payload: { verdict: "revise", summary: "no", failedCriteria: ["x"] } },
            { payload: { verdict: "approve", summary: "yes" } },
          ],
        },
      },
    ).go();
    const captures = play.effects.filter((one) => one.kind === "capture_patch");
    expect(captures.map(({ fromTree }) => fromTree)).toEqual(["b".repeat(40), "1".repeat(40)]);
    expect(play.state).toBe("completed");
  });

  it("[R-33] runs each check once for each tree, and the base only once over all passes", () => {
    const play = new Play(
      { policy: autopilot },
      {
        checks: [check("npm:test"), check("npm:lint", { kind: "lint" })],
        replies: {
          verifier: [
            { payload: { verdict: "revise", summary: "no", failedCriteria: ["x"] } },
            { payload: { verdict: "approve", summary: "yes" } },
          ],
        },
      },
    ).go();
    const runs = play.effects
      .filter((one) => one.kind === "run_check")
      .map((one) => `${one.check.id} ${one.variant} ${one.tree[0]}`);
    expect(runs).toEqual([
      "npm:test base b",
      "npm:lint base b",
      "npm:test patched 1",
      "npm:lint patched 1",
      "npm:test patched 2",
      "npm:lint patched 2",
    ]);
  });
});
