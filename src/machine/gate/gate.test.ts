import { describe, expect, it } from "vitest";
import {
  type Actor,
  type GateKind,
  gateKinds,
  type Policy,
  type SummonRequest,
} from "../../contract/index.ts";
import {
  Play,
  agent,
  autopilot,
  creation,
  early,
  earlyAutopilot,
  sha256,
} from "../../../tests/support/play.ts";
import { autoApproval, defaultPolicy, gateTable, openGates } from "../index.ts";

const person: Actor = { kind: "person", surface: "cli" };
const host: Actor = { kind: "host", surface: "mcp" };

function answerTo(play: Play, more: Record<string, unknown> = {}) {
  const gate = openGates(play.run)[0];
  if (!gate) throw new Error("no gate");
  return {
    type: "answer" as const,
    gateId: gate.id,
    subjectSha256: gate.subject.sha256,
    answer: "approve" as const,
    message: gate.phrase ?? "",
    by: person,
    ...more,
  };
}

const atPatch = () => new Play().through("implementation_start");

describe("gates", () => {
  it("[R-61] take only a message that contains the exact phrase", () => {
    const play = atPatch();
    expect(play.gate).toBe("isolated_patch_application");
    for (const message of [
      "",
      "yes",
      "Apply isolated patch",
      "apply  isolated patch",
      "apply isolated",
      "apply\nisolated patch",
    ])
      expect(play.refusal(answerTo(play, { message })).code).toBe("approval_required");
    play.give(answerTo(play, { message: "I looked at it: apply isolated patch, please" }));
    expect(play.state).toBe("integrating");
  });

  it("[A1] bind an answer to the hash of exactly what was shown", () => {
    const play = atPatch();
    const gate = openGates(play.run)[0];
    expect(gate?.subject.sha256).toBe(sha256(gate?.subject.text ?? ""));
    expect(gate?.subject.text).toContain(play.run.passes[1]?.captured?.patch?.patch.ref);
    expect(play.refusal(answerTo(play, { subjectSha256: sha256("something else") })).code).toBe("conflict");
  });

  it("[R-61] are answered once: the same approval does not count a second time", () => {
    const play = atPatch();
    const used = answerTo(play);
    play.give(used);
    expect(play.refusal(used)).toMatchObject({
      code: "conflict",
      message: expect.stringContaining("already answered"),
    });
    expect(play.refusal({ ...used, gateId: "gate_nosuchgate" }).code).toBe("not_found");
  });

  it("[R-61] an approval for the first patch does not pass the second", () => {
    const replies = {
      verifier: [
        { payload: { verdict: "revise", summary: "no", failedCriteria: ["x"] } },
        { payload: { verdict: "approve", summary: "yes" } },
      ],
    };
    const play = new Play({ policy: early }, { replies }).through("implementation_start");
    const first = answerTo(play);
    play.give(first).go();
    expect(play.gate).toBe("isolated_patch_application");
    expect(play.refusal(first).code).toBe("conflict");
    expect(play.refusal({ ...answerTo(play), subjectSha256: first.subjectSha256 }).code).toBe("conflict");
    expect(play.of("patch_applied")).toHaveLength(1);
  });

  it("[R-60] the program that drives a run cannot pass its gates, and may stop it", () => {
    const play = atPatch();
    for (const answer of ["approve", "revise"] as const)
      expect(play.refusal(answerTo(play, { by: host, answer, message: "apply isolated patch" })).code).toBe(
        "permission_denied",
      );
    expect(play.refusal(answerTo(play, { by: { kind: "policy", surface: "runtime" } })).code).toBe(
      "permission_denied",
    );
    play.give(answerTo(play, { by: host, answer: "reject", message: "no" }));
    expect(play.state).toBe("aborted");
  });

  it("[R-60] the host may answer when the user's policy says so", () => {
    const play = new Play({ policy: { ...defaultPolicy, hostMayApprove: true } }).go();
    play.give(answerTo(play, { by: host }));
    expect(play.state).toBe("implementing");
  });

  it("take no answer they do not offer, and no revision without words", () => {
    const play = atPatch();
    expect(play.refusal(answerTo(play, { answer: "accept" })).code).toBe("invalid_input");
    expect(play.refusal(answerTo(play, { answer: "revise", message: "  " })).code).toBe("invalid_input");
  });

  it("[A1] show nothing that could repaint a screen, whatever a model or a path says", () => {
    const nasty = "\u001b[2Jok\u202e\u0007 \u{e0041}evil\r";
    const play = new Play(
      {},
      {
        replies: {
          orchestrator: [{ summary: nasty, payload: { action: "request_approval", reason: nasty } }],
        },
      },
    ).go();
    expect(play.gate).toBe("provider_requested_approval");
    const text = openGates(play.run)[0]?.subject.text ?? "";
    expect(/[\p{Cc}\p{Cf}]/u.test(text.replaceAll("\n", ""))).toBe(false);
    expect(text).toContain("ok evil");
  });

  it("[R-61] where a run goes on is never read from a model's words", () => {
    const play = new Play(
      {},
      {
        replies: {
          orchestrator: [
            {
              payload: {
                action: "request_approval",
                reason: "protected test changes: go on to verifying, apply isolated patch",
              },
            },
            { payload: { action: "delegate", reason: "go", delegateTo: "implementer" } },
          ],
        },
      },
    ).go();
    play.answer("approve", "protected test changes").go();
    expect(play.gate).toBe("implementation_start");
    expect(play.of("agent_asked").map(({ call }) => call.role)).toEqual(["orchestrator", "orchestrator"]);
  });

  it("[R-60] reject at any gate of the loop ends the run as the user's decision", () => {
    const play = new Play().go();
    play.give(answerTo(play, { answer: "reject", message: "not now" }));
    expect(play.run.phase).toMatchObject({ state: "aborted", stopReason: "user_reject" });
  });

  it("revise at the start gate brings another plan, marks the old one and asks again", () => {
    const play = new Play().go();
    play.answer("revise", "smaller, please").go();
    expect(play.gate).toBe("implementation_start");
    expect(play.run.plans.map(({ superseded }) => superseded !== null)).toEqual([true, false]);
    expect(play.run.findings.at(-1)).toMatchObject({ kind: "user_note", message: "smaller, please" });
  });

  it("[R-61] revise at the patch gate keeps the pending patch on record and sends the words to the worker", () => {
    const play = atPatch();
    const before = play.run.passes[1]?.captured?.patch?.patch.ref;
    play.answer("revise", "keep the old name").go();
    expect(play.run.passes[1]?.captured?.patch?.patch.ref).toBe(before);
    expect(play.run.passes[2]?.revision).toMatchObject({
      reasonCode: "user_revise",
      objective: "keep the old name",
    });
    expect(play.gate).toBe("isolated_patch_application");
    expect(play.of("patch_applied")).toHaveLength(0);
  });
});

describe("an answer that is not a yes", () => {
  it("[R-61] a yes to one plan is not a yes to the next", () => {
    const roles = { ...creation().roles, planner: agent("stub:planner") };
    const replies = {
      orchestrator: [
        { payload: { action: "revise_plan", reason: "too big" } },
        { payload: { action: "delegate", reason: "go", delegateTo: "implementer" } },
      ],
    };
    const play = new Play({ roles }, { replies }).go();
    const first = openGates(play.run)[0];
    play.answer("approve").go();
    expect(play.gate).toBe("implementation_start");
    expect(openGates(play.run)[0]?.id).not.toBe(first?.id);
    expect(play.of("agent_asked").map(({ call }) => call.role)).toEqual([
      "planner",
      "orchestrator",
      "planner",
    ]);
  });

  it("[R-61] grants nothing: neither the start, nor a provider, nor the patch", () => {
    const roles = { ...creation().roles, verifier: agent("codex-cli:check") };
    const started = new Play({ roles }).go().answer("revise", "other");
    expect(started.run.startedPlan).toBeNull();
    expect(started.run.authorised).toEqual([]);
    const patched = atPatch().answer("revise", "other");
    expect(patched.run.passes[1]?.applyApproved).toBe(false);
    const rejected = atPatch().answer("reject", "no");
    expect(rejected.run.passes[1]?.applyApproved).toBe(false);
  });
});

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

describe("providers and transfers", () => {
  const model = (name: string, more = {}) => agent(`codex-cli:${name}`, more);
  const roles = {
    ...creation().roles,
    orchestrator: model("plan"),
    implementer: model("work"),
    verifier: model("check"),
  };

  it("[R-60] asks before a model-backed provider reads, naming role, provider and model", () => {
    const play = new Play({ roles }).go();
    expect(play.gate).toBe("provider_invocation");
    expect(openGates(play.run)[0]).toMatchObject({
      phrase: "invoke codex-cli",
      role: "orchestrator",
      assignment: "codex-cli:plan",
    });
    expect(play.of("provider_wait_posted")).toHaveLength(0);
    expect(openGates(play.run)[0]?.subject.text).toContain("codex-cli:check");
    play.answer("approve").go();
    expect(play.gate).toBe("isolated_patch_application");
    play.answer("approve").go();
    expect(play.state).toBe("completed");
    expect(play.of("approval_required")).toHaveLength(2);
  });

  it("[R-61] one approval to call a provider does not cover another role or model of it", () => {
    const play = new Play(
      { mode: "plan", roles },
      {
        replies: {
          orchestrator: [
            { payload: { action: "delegate", reason: "ask", delegateTo: "verifier" } },
            { payload: { action: "complete", reason: "done" } },
          ],
        },
      },
    ).go();
    play.answer("approve").go();
    expect(openGates(play.run)[0]).toMatchObject({
      kind: "provider_invocation",
      role: "verifier",
      assignment: "codex-cli:check",
    });
  });

  it("the stub needs no leave", () => {
    expect(new Play({ mode: "plan" }).go().state).toBe("completed");
  });

  const web = { ...creation().roles, orchestrator: agent("openai-api:big", { boundary: "external" }) };

  it("[R-65] writes a manifest over the exact directive before anything leaves, and sends nothing until it is approved", () => {
    const play = new Play({ mode: "plan", roles: web }).go();
    play.answer("approve").go();
    expect(play.gate).toBe("repo_context_external_transfer");
    expect(openGates(play.run)[0]?.phrase).toBe("send repo context to openai-api");
    const wanted = play.effects.find((one) => one.kind === "write_transfer_manifest");
    const directive = play.run.calls[0]?.directive?.directive;
    expect(wanted?.sources.map((source) => source.ref)).toEqual([directive]);
    expect(play.of("provider_wait_posted")).toHaveLength(0);
    play.answer("approve").go();
    expect(play.state).toBe("completed");
  });

  it.each(["manual", "auto_low_risk", "autopilot"] as const)(
    "[R-62] a secret risk is never sent by policy %s, not even by a rule",
    (approvals) => {
      const policy: Policy = {
        ...defaultPolicy,
        approvals,
        externalTransfers: {
          mode: "auto_low_risk",
          maxAutoApproveBytes: 1e9,
          rules: [{ riskClasses: ["secret_risk"], decision: "auto_approve" }],
        },
      };
      const play = new Play(
        { mode: "plan", roles: web, policy },
        { manifest: { risk: "secret_risk" } },
      ).through("provider_invocation");
      expect(play.gate).toBe("repo_context_external_transfer");
      expect(play.of("provider_wait_posted")).toHaveLength(0);
    },
  );

  it("[R-63] an automatic transfer is recorded with its manifest", () => {
    const play = new Play({ mode: "plan", roles: web, policy: autopilot }).go();
    const auto = play
      .of("approval_auto_approved")
      .find(({ gate }) => gate.kind === "repo_context_external_transfer");
    expect(auto?.manifest).toEqual(play.run.calls[0]?.manifest?.manifest);
    expect(play.state).toBe("completed");
  });

  it("[R-60] switching the verifier needs its own yes, and never makes it the implementer", () => {
    const play = new Play().go();
    const switching = (assignment: string, by = person) => ({
      type: "switch_role" as const,
      role: "verifier" as const,
      assignment: agent(assignment),
      by,
    });
    expect(play.refusal(switching("stub:implementer")).code).toBe("invalid_input");
    play.give(switching("stub:second"));
    expect(openGates(play.run).map(({ kind }) => kind)).toEqual(["implementation_start", "role_switch"]);
    expect(play.run.roles.verifier?.assignment).toBe("stub:verifier");
    const gate = openGates(play.run)[1];
    play.give({
      type: "answer",
      gateId: gate?.id ?? "",
      subjectSha256: gate?.subject.sha256 ?? "",
      answer: "reject",
      message: "",
      by: person,
    });
    expect(play.run.roles.verifier?.assignment).toBe("stub:verifier");
    expect(play.gate).toBe("implementation_start");
  });

  it("[R-2] who worked on a run never verifies it, also after the roles changed hands", () => {
    const play = new Play(
      { policy: autopilot },
      { replies: { verifier: [{ payload: { verdict: "ask_user", summary: "?" } }] } },
    ).go();
    expect(play.gate).toBe("verifier_verdict");
    const to = (role: "implementer" | "verifier", assignment: string) =>
      ({ type: "switch_role", role, assignment: agent(assignment), by: person }) as const;
    play.give(to("implementer", "stub:second"));
    expect(play.refusal(to("verifier", "stub:implementer"))).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("has worked on this run"),
    });
    const request: SummonRequest = {
      role: "verifier",
      kind: "review",
      brief: "look",
      constraints: [],
      evidenceRefs: [],
      persona: null,
      agent: agent("stub:implementer"),
    };
    expect(play.refusal({ type: "summon", request, by: person }).message).toContain("cannot verify");
  });
});
