import { describe, expect, it } from "vitest";
import { Play, autopilot, check } from "../../../../tests/support/play.ts";
import { buildFinalReport, compactStatus, currentFailure, fullView, openGates, runBrief } from "../index.ts";
import { drive, verdicts } from "../../../../tests/support/drive-review.ts";

describe("failure classes", () => {
  it.each([
    ["test", "test_failure"],
    ["lint", "lint_failure"],
    ["typecheck", "typecheck_failure"],
    ["build", "build_failure"],
  ] as const)("[R-17] a broken %s check is a %s, in the packet and at the gate", (kind, failureClass) => {
    const play = drive({
      checks: [check("npm:x", { kind })],
      result: (_id, variant) => (variant === "base" ? "passed" : "failed"),
    });
    expect(play.of("revision_packet_written")[0]?.packet.failureClass).toBe(failureClass);
    expect(openGates(play.run)[0]).toMatchObject({ kind: "repeated_failure", failureClass });
    const waiting = drive({ checks: [check("npm:x", { kind })], result: () => "failed" });
    expect(openGates(waiting.run)[0]).toMatchObject({ kind: "validation_waiver", failureClass });
  });

  it("[R-17] gates name the class of the run's failure", () => {
    const at = (play: Play) => openGates(play.run)[0]?.failureClass;
    expect(at(new Play().go())).toBe("approval_required");
    expect(at(drive({ replies: { implementer: [{ status: "blocked", payload: {} }] } }))).toBe("provider_error");
    expect(at(drive({ replies: { verifier: verdicts("ask_user") } }))).toBe("ambiguous_goal");
    expect(at(drive({ replies: { verifier: verdicts("revise"), critic: [{ payload: { verdict: "unsafe" } }] } }))).toBe(
      "unsafe_action",
    );
    expect(
      at(drive({ tokens: 50 }, { policy: { ...autopilot, budgets: { ...autopilot.budgets, maxTokens: 60 } } })),
    ).toBe("budget_exhausted");
  });

  it("[R-17] three answers in a row that break their contract are a schema failure, two are none", () => {
    const failing = (maxSchemaFailures: number) =>
      new Play(
        { policy: { ...autopilot, budgets: { ...autopilot.budgets, maxSchemaFailures } } },
        { replies: { qa: [{ trouble: "refused" }, { trouble: "refused" }, { payload: { verdict: "pass" } }] } },
      ).go();
    expect(currentFailure(failing(3).run)).toBeNull();
    const play = drive({ replies: { qa: [{ trouble: "refused" }] } });
    expect(openGates(play.run)[0]).toMatchObject({ kind: "provider_blocked", failureClass: "schema_failure" });
    expect(compactStatus(play.run)).toMatchObject({ failureClass: "schema_failure" });
    play.answer("abort", "no more");
    expect(currentFailure(play.run)).toBe("schema_failure");
  });

  it("[R-17] an aborted run has the class of the gate where it was ended, and none where no gate was open", () => {
    const by = { kind: "person", surface: "cli" } as const;
    const ended = (play: Play) => currentFailure(play.give({ type: "abort", by, reason: "" }).run);
    expect(ended(drive({ replies: { implementer: [{ status: "blocked", payload: {} }] } }))).toBe("provider_error");
    expect(ended(new Play().go())).toBe("approval_required");
    const running = new Play({ policy: autopilot });
    running.step();
    expect(ended(running)).toBeNull();
  });

  it("[R-17] status, list and report name the class of what ended a run, of its gate and of its repair", () => {
    const gate = new Play().go();
    expect([compactStatus(gate.run).failureClass, runBrief(gate.run).failureClass]).toEqual([
      "approval_required",
      "approval_required",
    ]);
    const broken = drive({ result: (_id, variant, pass) => (variant === "base" || pass > 1 ? "passed" : "failed") });
    expect(broken.state).toBe("completed");
    expect(compactStatus(broken.run).failureClass).toBeNull();
    const { report, markdown } = buildFinalReport(broken.run);
    expect(report).toMatchObject({ failureClass: null, revisionTrail: [{ failureClass: "test_failure" }] });
    expect(markdown).toContain("(test_failure)");
    const failed = drive({ replies: { implementer: [{ status: "failed", payload: {} }] } });
    expect(fullView(failed.run)).toMatchObject({ state: "failed", failureClass: "provider_error" });
    expect(buildFinalReport(failed.run).markdown).toContain("(provider_failed, provider_error)");
  });

  it("[R-17] a run that a person rejects at a gate keeps the class of that gate", () => {
    const play = new Play().go();
    play.answer("reject", "no").go();
    expect(play.state).toBe("aborted");
    expect(currentFailure(play.run)).toBe("approval_required");
  });

  it("[R-17] a repair that is under way names the class of what it repairs", () => {
    const play = new Play(
      { policy: autopilot },
      { result: (_id, variant) => (variant === "base" ? "passed" : "failed") },
    );
    while (play.of("revision_packet_written").length === 0) expect(play.step()).toBe(true);
    play.step();
    expect(openGates(play.run)).toEqual([]);
    expect(currentFailure(play.run)).toBe("test_failure");
  });

  it("[R-13] a directive holds no more evidence than one can, and what failed comes first", () => {
    const checks = Array.from({ length: 40 }, (_, index) => check(`npm:check${index}`));
    const play = drive({ checks, result: (id) => (id === "npm:check39" ? "failed" : "passed") });
    const effect = play.effects.findLast((one) => one.kind === "write_directive" && one.call.role === "verifier");
    if (effect?.kind !== "write_directive") throw new Error("no directive");
    const logs = effect.draft.attachments.filter(({ name }) => name.endsWith("stdout"));
    expect(logs.slice(0, 2).map(({ name }) => name)).toEqual(["npm:check39 patched stdout", "npm:check39 base stdout"]);
  });
});
