// Gates that a policy may pass, and those that no policy passes.
import { describe, expect, it } from "vitest";
import { type GateKind, gateKinds, type Policy } from "../../contract/index.ts";
import { Play, autopilot, earlyAutopilot } from "../../../../tests/support/play.ts";
import { autoApproval, defaultPolicy, gateTable, openGates } from "../index.ts";
import { answerTo } from "../../../../tests/support/gate-scene.ts";

describe("what the policy may pass", () => {
  const never: readonly GateKind[] = gateKinds.filter((kind) => gateTable[kind].policy === "never");

  it("[R-62] no policy passes anything on the never-list", () => {
    const loosest: Policy = {
      ...defaultPolicy,
      approvals: "autopilot",
      editRequiresApproval: false,
      externalTransfers: {
        mode: "auto_low_risk",
        maxAutoApproveBytes: 1e9,
        rules: [{ decision: "auto_approve" }],
      },
    };
    for (const kind of never) expect(autoApproval(loosest, kind, {})).toBeNull();
    for (const kind of [
      "protected_patch_changes",
      "dirty_checkout_before_patch",
      "verifier_verdict",
      "critic_safety_review",
      "risky_command",
      "validation_waiver",
      "role_switch",
      "provider_in_doubt",
    ] as const)
      expect(never).toContain(kind);
  });

  it("[R-62] a policy passes four kinds of gates by autopilot, and three by the rules for transfers", () => {
    const passedBy = (policy: "autopilot" | "transfer") =>
      gateKinds.filter((kind) => gateTable[kind].policy === policy);
    expect(passedBy("autopilot")).toEqual([
      "implementation_start",
      "provider_invocation",
      "summon_provider_invocation",
      "isolated_patch_application",
    ]);
    expect(passedBy("transfer")).toEqual([
      "repo_context_external_transfer",
      "progress_packet_external_transfer",
      "run_evidence_external_transfer",
    ]);
  });

  it("[R-62] manual and auto_low_risk pass none of autopilot's gates", () => {
    for (const approvals of ["manual", "auto_low_risk"] as const)
      for (const kind of [
        "implementation_start",
        "provider_invocation",
        "summon_provider_invocation",
        "isolated_patch_application",
      ] as const)
        expect(autoApproval({ ...defaultPolicy, approvals }, kind, {})).toBeNull();
  });

  it("[R-63] records every automatic approval with its gate and its reason", () => {
    const play = new Play({ policy: autopilot }).go();
    const auto = play.of("approval_auto_approved");
    expect(auto.map(({ gate }) => gate.kind)).toEqual(["implementation_start", "isolated_patch_application"]);
    for (const { approval, gate, policyReason } of auto) {
      expect(approval).toMatchObject({ by: { kind: "policy" }, subjectSha256: gate.subject.sha256 });
      expect(policyReason).toContain("Autopilot");
    }
  });

  it.each([
    [
      "protected paths",
      {
        verdict: "approval" as const,
        reason: "protected",
        protectedPaths: [{ path: "test/a.test.ts", why: "test" }],
      },
    ],
    ["a link that leaves the repository", { verdict: "approval" as const, reason: "symlink" }],
  ])("[R-62] autopilot does not apply a patch about which was found: %s", (_, judgement) => {
    const play = new Play({ policy: earlyAutopilot }, { judge: () => judgement }).go();
    expect(play.gate).toBe("isolated_patch_application");
    expect(play.of("patch_applied")).toHaveLength(0);
  });

  it("[R-32] an integrated patch with protected paths stops for its own approval before verification", () => {
    const protectedPaths = [{ path: "test/a.test.ts", why: "test" }];
    const play = new Play(
      { policy: earlyAutopilot },
      { judge: () => ({ verdict: "approval", reason: "protected", protectedPaths }) },
    ).go();
    play.answer("approve").go();
    expect(play.gate).toBe("protected_patch_changes");
    expect(play.of("patch_applied")).toHaveLength(1);
    expect(play.of("check_executed").filter(({ check }) => check.variant !== "base")).toHaveLength(0);
    expect(play.refusal(answerTo(play, { message: "apply isolated patch" })).code).toBe("approval_required");
    play.answer("approve", "protected test changes").go();
    expect(play.state).toBe("completed");
  });

  it("[R-31] a dirty file in the way blocks, nothing is applied, and approving means trying again", () => {
    const play = new Play(
      { policy: autopilot },
      {
        apply: (_pass, tries) =>
          tries === 0
            ? {
                kind: "apply_patch_blocked",
                reason: "dirty_checkout",
                message: "dirty",
                paths: ["src/login.ts"],
              }
            : undefined,
      },
    ).go();
    expect(play.gate).toBe("dirty_checkout_before_patch");
    expect(openGates(play.run)[0]?.subject.text).toContain("src/login.ts");
    play.answer("approve").go();
    expect(play.state).toBe("completed");
  });
});
