// Blind tests on the machine alone: who writes them, what they are given, and what each result leads to.
import { describe, expect, it } from "vitest";
import { agent, autopilot, check, type Cast, creation, Play } from "../../../../tests/support/play.ts";
import { blindTester } from "../call/tester.ts";
import { openGates } from "../index.ts";
import { buildFinalReport, claims } from "../view/index.ts";

const careful = { ...autopilot, blindTests: "on" as const };
const drive = (cast: Cast = {}, more = {}) =>
  new Play({ policy: careful, ...more }, { testsRun: () => 3, ...cast }).go();
const blindClaim = (play: Play) => claims(play.run).find(({ kind }) => kind === "blind_tests");
const calls = (play: Play) => play.of("agent_asked").filter(({ call }) => call.purpose === "blind_tests");
const directives = (play: Play, phase: string) =>
  play.effects.flatMap((one) => (one.kind === "write_directive" && one.call.phase === phase ? [one] : []));
const fails = { proving: 1, failing: 1, failingNames: ["secret name of a test"] };

describe("the agent that writes blind tests", () => {
  const { roles } = creation();
  it.each([
    ["QA, of another vendor", { qa: "gemini-cli:a", implementer: "codex-cli:b" }, "gemini-cli:a"],
    [
      "one of another vendor before QA of the same",
      { qa: "codex-cli:a", implementer: "codex-cli:b", critic: "claude-code:c" },
      "claude-code:c",
    ],
    [
      "an address of the same vendor counts as the same",
      { qa: "openai-api:a", implementer: "codex-cli:b", verifier: "claude-code:c" },
      "claude-code:c",
    ],
    [
      "another agent where there is one vendor",
      { qa: "codex-cli:a", implementer: "codex-cli:b", verifier: "codex-cli:c" },
      "codex-cli:a",
    ],
    [
      "never the implementer",
      { qa: "codex-cli:b", implementer: "codex-cli:b", verifier: "codex-cli:c" },
      "codex-cli:c",
    ],
  ])("[B-33] is %s", (_, names, expected) => {
    const crew = Object.fromEntries(Object.entries(names).map(([role, name]) => [role, agent(name)]));
    expect(blindTester({ roles: crew })?.assignment).toBe(expected);
  });

  it("[B-33] does not exist where the implementer is alone", () => {
    expect(blindTester({ roles: { implementer: agent("codex-cli:b"), qa: agent("codex-cli:b") } })).toBeNull();
    expect(blindTester({ roles })?.assignment).toBe("stub:qa");
  });
});

describe("blind tests in a run", () => {
  it("[B-33] are not asked for unless the user's policy wants them", () => {
    const play = drive({}, { policy: autopilot });
    expect(calls(play)).toEqual([]);
    expect(blindClaim(play)).toBeUndefined();
  });

  it("[B-33] that fail on the base and pass on the work are a proven claim, in the report and at the gate", () => {
    const play = drive({}, { policy: { ...careful, approvals: "manual" } })
      .answer("approve")
      .go();
    const [gate] = openGates(play.run);
    expect(gate?.kind).toBe("isolated_patch_application");
    expect(gate?.subject.text).toContain("2 of 2 blind tests of another agent (stub:qa)");
    expect(gate?.subject.text).toContain("They are not part of this change (test/blind.test.js)");
    play.answer("approve").go();
    expect(blindClaim(play)).toMatchObject({ standing: "proven", why: expect.stringContaining("2 of 2 blind tests") });
    const { markdown, report } = buildFinalReport(play.run);
    expect(report.blindTests).toMatchObject({ ran: 2, proving: 2, files: ["test/blind.test.js"] });
    expect(markdown).toContain("## Blind tests, which are not part of the change");
    expect(play.run.phase).toMatchObject({ state: "completed", stopReason: "success" });
  });

  it("[B-33] the tester is given goal, criteria and the base tree, and nothing of the work", () => {
    const play = drive();
    const [directive] = directives(play, "blind_tests");
    const text = JSON.stringify(directive?.draft);
    expect(text).toContain("make the login test stable");
    expect(text).toContain("the login test passes");
    expect(text).not.toContain("src/login.ts");
    expect(directive?.draft.attachments.map(({ name }) => name)).not.toContain("diff");
    expect(directive?.draft.toolPermissions).toEqual({ read: true, edit: false, run: false, network: false });
    const sent = play.effects.find((one) => one.kind === "call_provider" && one.call.purpose === "blind_tests");
    expect(sent).toMatchObject({ readsTree: "b".repeat(40) });
  });

  it("[B-33] that fail go back to the worker once, without name or text, and run again without another call", () => {
    const play = drive({ blind: (pass) => (pass === 1 ? fails : {}) });
    expect(play.of("revision_packet_written").map(({ packet }) => packet.reasonCode)).toEqual(["blind_tests_fail"]);
    const [repair] = directives(play, "repair");
    expect(JSON.stringify(repair?.draft)).toContain("1 fail on this work");
    expect(JSON.stringify(repair?.draft)).not.toContain("secret name of a test");
    expect(repair?.draft.attachments.map(({ name }) => name)).not.toContain("blind tests");
    expect(calls(play)).toHaveLength(1);
    expect(play.of("blind_tests_run")).toHaveLength(2);
    expect(play.run.phase).toMatchObject({ state: "completed", stopReason: "success" });
  });

  it("[B-33] [B-26] that still fail are a question at the gate, also on autopilot, and never go back twice", () => {
    const play = drive({ blind: () => fails });
    expect(play.of("revision_packet_written")).toHaveLength(1);
    const [gate] = openGates(play.run);
    expect(gate?.kind).toBe("isolated_patch_application");
    expect(gate?.doubts?.map(({ kind }) => kind)).toEqual(["blind_tests"]);
    expect(gate?.subject.text).toContain("fails on this work: secret name of a test");
    for (const { draft } of directives(play, "verify")) {
      expect(JSON.stringify(draft)).toContain("1 fail on this work");
      expect(JSON.stringify(draft)).not.toContain("secret name of a test");
    }
    play.answer("approve").go();
    expect(play.run.phase).toMatchObject({ state: "completed", stopReason: "completed_with_doubts" });
    expect(blindClaim(play)?.standing).toBe("unproven");
  });

  it("[B-33] that pass on the base as well prove nothing, and the end of the run names it", () => {
    const play = drive({ blind: () => ({ proving: 0, idle: 2 }) });
    expect(blindClaim(play)).toMatchObject({ standing: "unproven", why: expect.stringContaining("say nothing") });
    expect(play.of("approval_required")).toEqual([]);
    expect(play.run.phase).toMatchObject({ state: "completed", stopReason: "completed_with_doubts" });
  });

  it.each(["failed", "not_sent", "in_doubt"] as const)(
    "[B-33] a tester whose call is %s holds nothing up and is not asked twice",
    (trouble) => {
      const play = drive({ tester: { trouble } });
      expect(calls(play)).toHaveLength(1);
      expect(blindClaim(play)).toMatchObject({ standing: "unproven", why: expect.stringContaining("not run") });
      expect(play.of("approval_required")).toEqual([]);
      expect(play.run.phase.state).toBe("completed");
    },
  );

  it("[B-33] a tester that keeps breaking its contract is asked as often as any role, then left out", () => {
    const play = drive({ tester: { trouble: "refused" } });
    expect(calls(play)).toHaveLength(3);
    expect(play.run.phase.state).toBe("completed");
  });

  it("[B-33] a tester that writes none is not asked again in the next pass", () => {
    const replies = {
      verifier: [
        { payload: { verdict: "revise", summary: "no", failedCriteria: ["x"] } },
        { payload: { verdict: "approve", summary: "ok" } },
      ],
    };
    const play = drive({ tester: { payload: { summary: "cannot", tests: [] } }, replies });
    expect(calls(play)).toHaveLength(1);
    expect(play.of("blind_tests_run").map(({ tests }) => tests.notRun)).toEqual([
      "the tester wrote none",
      "the tester wrote none",
    ]);
  });

  it.each([
    ["without a check that runs tests", { checks: [check("npm:lint", { kind: "lint" })] }, "no check that runs tests"],
    ["whose runner reports no tests", { testsRun: () => null }, "reports no single tests"],
  ])("[B-33] a project %s pays for no tester", (_, cast, why) => {
    const play = drive(cast as Cast);
    expect(calls(play)).toEqual([]);
    expect(play.of("blind_tests_run")[0]?.tests.notRun).toContain(why);
  });

  it("[B-33] the call counts against the answers of the run, and its use is agreed to at the start", () => {
    const roles = { ...creation().roles, qa: agent("codex-cli:q", { boundary: "external" }) };
    const play = drive({}, { policy: { ...careful, approvals: "manual" }, roles });
    expect(openGates(play.run)[0]?.subject.text).toContain("Blind tests, without seeing the work: codex-cli:q");
    play.answer("approve").go();
    const [gate] = openGates(play.run);
    expect(gate).toMatchObject({ kind: "repo_context_external_transfer", role: "qa" });
    expect(calls(play)[0]?.call.callId).toBe(gate?.callId);
    const before = play.run.spent.responses;
    play.answer("approve").step();
    expect(play.run.spent.responses).toBe(before + 1);
  });
});

describe("keeping blind tests", () => {
  const person = { kind: "person", surface: "cli" } as const;
  const gated = () =>
    drive({}, { policy: { ...careful, approvals: "manual" } })
      .answer("approve")
      .go();

  it("[B-33] writes them only because a person wants it, after the work is in the checkout", () => {
    const play = gated().give({ type: "keep_tests", by: person });
    expect(play.effects.some(({ kind }) => kind === "keep_blind_tests")).toBe(false);
    play.answer("approve").go();
    expect(play.of("blind_tests_kept")).toEqual([
      expect.objectContaining({ kept: { paths: ["test/blind.test.js"], left: [] } }),
    ]);
    play.give({ type: "keep_tests", by: person }).go();
    expect(play.of("blind_tests_kept")).toHaveLength(1);
  });

  it("[B-33] is refused for a program, for a run without them, and for work that is not in the checkout", () => {
    const host = { kind: "host", surface: "mcp" } as const;
    expect(gated().refusal({ type: "keep_tests", by: host }).code).toBe("permission_denied");
    expect(drive({}, { policy: autopilot }).refusal({ type: "keep_tests", by: person }).message).toContain(
      "no blind tests",
    );
    const aborted = gated().give({ type: "abort", reason: "no", by: person }).go();
    expect(aborted.refusal({ type: "keep_tests", by: person }).message).toContain("not in this checkout");
    expect(aborted.of("blind_tests_kept")).toEqual([]);
  });
});
