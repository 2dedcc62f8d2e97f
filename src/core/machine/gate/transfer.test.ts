// Gates before a provider is called and before data leaves the machine.
import { describe, expect, it } from "vitest";
import { type Policy, type SummonRequest } from "../../contract/index.ts";
import { Play, agent, autopilot, creation } from "../../../../tests/support/play.ts";
import { defaultPolicy, openGates } from "../index.ts";
import { person } from "../../../../tests/support/gate-scene.ts";

describe("providers and transfers", () => {
  const model = (name: string, more = {}) => agent(`codex-cli:${name}`, more);
  const roles = {
    ...creation().roles,
    orchestrator: model("plan"),
    implementer: model("work"),
    verifier: model("check"),
  };

  it("[R-60] asks before a model-backed provider reads, naming role, provider and model", () => {
    const play = new Play({ mode: "plan", roles }).go();
    expect(play.gate).toBe("provider_invocation");
    expect(openGates(play.run)[0]).toMatchObject({
      phrase: "invoke codex-cli",
      role: "orchestrator",
      assignment: "codex-cli:plan",
    });
    expect(play.of("provider_wait_posted")).toHaveLength(0);
    play.answer("approve").go();
    expect(play.state).toBe("completed");
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
      const play = new Play({ mode: "plan", roles: web, policy }, { manifest: { risk: "secret_risk" } }).through(
        "provider_invocation",
      );
      expect(play.gate).toBe("repo_context_external_transfer");
      expect(play.of("provider_wait_posted")).toHaveLength(0);
    },
  );

  it("[R-63] an automatic transfer is recorded with its manifest", () => {
    const play = new Play({ mode: "plan", roles: web, policy: autopilot }).go();
    const auto = play.of("approval_auto_approved").find(({ gate }) => gate.kind === "repo_context_external_transfer");
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

  it("[R-60] switching the orchestrator waits for its own yes, and holds from then on", () => {
    const play = new Play().go();
    play.give({ type: "switch_role", role: "orchestrator", assignment: agent("stub:second"), by: person });
    const gate = openGates(play.run).find(({ kind }) => kind === "role_switch");
    expect(gate?.subject.text).toContain("stub:second");
    expect(play.run.roles.orchestrator?.assignment).toBe("stub:orchestrator");
    play.give({
      type: "answer",
      gateId: gate?.id ?? "",
      subjectSha256: gate?.subject.sha256 ?? "",
      answer: "approve",
      message: gate?.phrase ?? "",
      by: person,
    });
    expect(play.run.roles.orchestrator?.assignment).toBe("stub:second");
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
