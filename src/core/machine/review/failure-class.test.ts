import { describe, expect, it } from "vitest";
import { Play, autopilot, check } from "../../../../tests/support/play.ts";
import { openGates } from "../index.ts";
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

  it("[R-13] a directive holds no more evidence than one can, and what failed comes first", () => {
    const checks = Array.from({ length: 40 }, (_, index) => check(`npm:check${index}`));
    const play = drive({ checks, result: (id) => (id === "npm:check39" ? "failed" : "passed") });
    const effect = play.effects.findLast((one) => one.kind === "write_directive" && one.call.role === "verifier");
    if (effect?.kind !== "write_directive") throw new Error("no directive");
    const logs = effect.draft.attachments.filter(({ name }) => name.endsWith("stdout"));
    expect(logs.slice(0, 2).map(({ name }) => name)).toEqual(["npm:check39 patched stdout", "npm:check39 base stdout"]);
  });
});
