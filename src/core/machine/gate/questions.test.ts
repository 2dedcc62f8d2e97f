// The questions of an honest run in manual mode: where data goes for the first time, the plan, the result.
import { describe, expect, it } from "vitest";
import type { AllowedDestination, CreateRun, Gate, Policy } from "../../contract/index.ts";
import { type Cast, Play, agent, autopilot, creation } from "../../../../tests/support/play.ts";
import { defaultPolicy, openGates } from "../index.ts";

const since = "2026-01-02T03:04:05.000Z";
const crew = (make: (model: string) => ReturnType<typeof agent>): CreateRun["roles"] => ({
  ...creation().roles,
  orchestrator: make("plan"),
  implementer: make("work"),
  verifier: make("check"),
  qa: make("test"),
  critic: make("doubt"),
});
const here = crew((model) => agent(`codex-cli:${model}`));
const elsewhere = crew((model) =>
  agent(`far:${model}`, { boundary: "external", identity: `far.example/v1 ${model}`, edits: "patch" }),
);

/** A run whose manifests name what the user allows, as the runtime reads it. */
function playOf(create: Partial<CreateRun>, cast: Cast = {}) {
  const allowed: AllowedDestination[] = [];
  const manifest: Cast["manifest"] = ({ call }) => {
    const found = allowed.find(({ provider }) => provider === call.assignment.provider);
    const own = typeof cast.manifest === "function" ? {} : cast.manifest;
    return { ...(found ? { allowed: found } : {}), ...own };
  };
  const play = new Play(create, { ...cast, manifest });
  const remember = () => {
    const bounds = openGates(play.run)[0]?.remembers;
    play.answer("remember");
    if (bounds) allowed.push({ ...bounds, since });
  };
  return { play, remember, allowed };
}

const textOf = (play: Play): string => openGates(play.run)[0]?.subject.text ?? "";
const asked = (play: Play): string[] => play.of("approval_required").map(({ gate }) => gate.title);

describe("[B-3] the questions of a run in manual mode", () => {
  it("with agents on this machine are two: the plan, which is shown, and the result", () => {
    const { play } = playOf({ roles: here });
    play.go();
    expect(textOf(play)).toContain("plan: orchestrator says so");
    expect(openGates(play.run)[0]?.subject.refs.map(({ ref }) => ref)).toEqual([play.run.plans[0]?.ref.ref]);
    expect(openGates(play.run)[0]).toMatchObject({ phrase: "invoke codex-cli", continuation: "start_implementing" });
    expect(play.of("provider_wait_posted")).toHaveLength(1);
    expect(play.of("approval_auto_approved").map(({ policyReason }) => policyReason)).toEqual([
      expect.stringContaining("runs on this machine"),
    ]);
    play.answer("approve").go();
    expect(play.gate).toBe("isolated_patch_application");
    play.answer("approve").go();
    expect([play.state, asked(play).length]).toEqual(["completed", 2]);
  });

  it("are three in the first run with an external agent: the destination, the plan, the result", () => {
    const { play, remember } = playOf({ roles: elsewhere });
    play.go();
    expect(openGates(play.run)[0]).toMatchObject({
      kind: "repo_context_external_transfer",
      phrase: "invoke far; send repo context to far",
      answers: ["approve", "remember", "reject", "abort"],
      remembers: { provider: "far", place: "far.example/v1", maxBytes: 200_000 },
    });
    expect(play.of("provider_wait_posted")).toHaveLength(0);
    expect(play.run.plans).toHaveLength(0);
    remember();
    play.go();
    expect(textOf(play)).toContain("plan: orchestrator says so");
    expect(openGates(play.run)[0]?.phrase).toBeNull();
    play.answer("approve").go();
    expect(play.gate).toBe("isolated_patch_application");
    play.answer("approve").go();
    expect([play.state, asked(play).length]).toEqual(["completed", 3]);
  });

  it("are two once the destination is allowed, and each transfer has its manifest and its event", () => {
    const { play, allowed } = playOf({ roles: elsewhere });
    allowed.push({ provider: "far", place: "far.example/v1", maxBytes: 200_000, since });
    play.go();
    expect(textOf(play)).toContain("plan: orchestrator says so");
    play.answer("approve").go();
    play.answer("approve").go();
    expect([play.state, asked(play).length]).toEqual(["completed", 2]);
    const sent = play.of("provider_wait_posted").length;
    const passed = play.of("approval_auto_approved").filter(({ gate }) => gate.kind.endsWith("_external_transfer"));
    expect(play.of("external_transfer_manifest_written")).toHaveLength(sent);
    expect(passed.map(({ manifest }) => manifest)).toEqual(
      play.of("external_transfer_manifest_written").map(({ manifest }) => manifest.manifest),
    );
    expect(passed[0]?.policyReason).toContain("You allowed far (far.example/v1) on 2026-01-02");
  });

  it("a second destination is one question more", () => {
    const verifier = agent("near-by:check", { boundary: "external", identity: "other.example/v1 check" });
    const { play, remember } = playOf({ roles: { ...elsewhere, verifier } });
    play.go();
    remember();
    play.go().answer("approve").go();
    expect(openGates(play.run)[0]).toMatchObject({ phrase: "send run evidence to near-by", role: "verifier" });
    remember();
    play.go().answer("approve").go();
    expect([play.state, asked(play).length]).toEqual(["completed", 4]);
  });

  it("on autopilot there are none, and each transfer keeps its manifest", () => {
    const { play } = playOf({ roles: elsewhere, policy: autopilot });
    play.go();
    expect([play.state, asked(play).length]).toEqual(["completed", 0]);
  });
});

describe("[B-27] nothing leaves in manual mode before its manifest was shown", () => {
  const externals = (play: Play) => play.run.calls.filter(({ posted }) => posted !== null);

  it("each transfer of a run stops on its own, and shows bytes, hash and refs of its message", () => {
    const { play } = playOf({ roles: elsewhere });
    const stops: { gate: Gate; call: Play["run"]["calls"][number] | undefined }[] = [];
    for (play.go(); play.gate !== undefined; play.go()) {
      const [gate] = openGates(play.run);
      if (gate?.kind.endsWith("_external_transfer"))
        stops.push({ gate, call: play.run.calls.find(({ record }) => record.callId === gate.callId) });
      play.answer("approve");
    }
    for (const { gate, call } of stops) {
      expect(gate.subject.text).toContain(`content sha256: ${call?.manifest?.contentSha256}`);
      expect(gate.subject.refs).toEqual([call?.manifest?.manifest, call?.directive?.directive]);
      expect(call?.posted).toBeNull();
    }
    const shown = stops.map(({ call }) => call?.record.callId);
    expect(play.state).toBe("completed");
    expect(shown).toEqual(externals(play).map(({ record }) => record.callId));
    expect(shown.length).toBeGreaterThanOrEqual(3);
  });

  it.each([
    ["a secret risk", { risk: "secret_risk" as const }],
    ["more bytes than the bounds", { totalBytes: 200_001 }],
    ["more bytes with those that may be read", { totalBytes: 150_000, mayRead: { calls: 1, bytes: 60_000 } }],
  ])("an allowed destination is asked about again for %s", (_, manifest) => {
    const { play, allowed } = playOf({ roles: elsewhere }, { manifest });
    allowed.push({ provider: "far", place: "far.example/v1", maxBytes: 200_000, since });
    play.go();
    expect(play.gate).toBe("repo_context_external_transfer");
    expect(openGates(play.run)[0]?.answers).not.toContain("remember");
    expect(externals(play)).toHaveLength(0);
  });

  it("a bound of the policy, which a repository may lower, bounds an allowed destination too", () => {
    const policy: Policy = {
      ...defaultPolicy,
      externalTransfers: { ...defaultPolicy.externalTransfers, maxAutoApproveBytes: 999 },
    };
    const { play, allowed } = playOf({ roles: elsewhere, policy });
    allowed.push({ provider: "far", place: "far.example/v1", maxBytes: 200_000, since });
    expect(play.go().gate).toBe("repo_context_external_transfer");
  });

  it("a rule of the user that wants a person goes before an allowed destination", () => {
    const policy: Policy = {
      ...defaultPolicy,
      externalTransfers: { ...defaultPolicy.externalTransfers, rules: [{ provider: "far", decision: "manual" }] },
    };
    const { play, allowed } = playOf({ roles: elsewhere, policy });
    allowed.push({ provider: "far", place: "far.example/v1", maxBytes: 200_000, since });
    expect(play.go().gate).toBe("repo_context_external_transfer");
  });

  it("only a person allows a destination for later, also where the host may approve", () => {
    const { play } = playOf({ roles: elsewhere, policy: { ...defaultPolicy, hostMayApprove: true } });
    play.go();
    const gate = openGates(play.run)[0];
    const answer = (kind: "host" | "person", word: "remember" | "approve") =>
      ({
        type: "answer",
        gateId: gate?.id ?? "",
        subjectSha256: gate?.subject.sha256 ?? "",
        answer: word,
        message: gate?.phrase ?? "",
        by: { kind, surface: "mcp" },
      }) as const;
    expect(play.refusal(answer("host", "remember")).code).toBe("permission_denied");
    play.give(answer("person", "remember"));
    expect(play.of("approval_recorded")[0]?.approval).toMatchObject({ answer: "remember", by: { kind: "person" } });
  });

  it("checks that cannot run here are shown before anything is sent, also to an allowed destination", () => {
    const { play, allowed } = playOf({ roles: elsewhere }, { result: () => "not_started" });
    allowed.push({ provider: "far", place: "far.example/v1", maxBytes: 200_000, since });
    play.go();
    expect(play.of("provider_wait_posted").length).toBe(0);
    expect(textOf(play)).toContain("cannot run on this machine");
  });
});
