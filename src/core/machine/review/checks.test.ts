import { describe, expect, it } from "vitest";
import { type Cast, Play, autopilot, check, earlyAutopilot } from "../../../../tests/support/play.ts";
import { claims, openGates, compareCheck } from "../index.ts";
import type { CheckEvidence, Policy } from "../../contract/index.ts";
import { drive, verdicts } from "../../../../tests/support/drive-review.ts";

describe("checks are a hard gate", () => {
  it("[R-4] a regression never completes, whatever every role says, and goes back to the worker with the logs", () => {
    const play = drive({ result: (_id, variant) => (variant === "base" ? "passed" : "failed") });
    expect(play.of("run_completed")).toHaveLength(0);
    expect(play.gate).toBe("repeated_failure");
    const packets = play.of("revision_packet_written").map(({ packet }) => packet);
    expect(packets[0]).toMatchObject({ reasonCode: "validation_regression", sourceRole: "runtime" });
    expect(packets[0]?.evidenceRefs.length).toBeGreaterThan(1);
    expect(play.of("agent_asked").map(({ call }) => call.role)).not.toContain("verifier");
  });

  it.each(["test", "lint", "typecheck", "build", "other"] as const)(
    "[R-4] a %s check that broke sends the work back, and only a pass of it completes the run",
    (kind) => {
      const broken = drive({
        checks: [check("npm:x", { kind })],
        result: (_id, variant) => (variant === "base" ? "passed" : "failed"),
      });
      expect(broken.of("revision_packet_written")[0]?.packet).toMatchObject({ reasonCode: "validation_regression" });
      expect(broken.of("agent_asked").filter(({ call }) => call.role === "implementer").length).toBeGreaterThan(1);
      expect(broken.state).toBe("awaiting_approval");
      const mended = drive({
        checks: [check("npm:x", { kind })],
        result: (_id, variant, pass) => (variant === "base" || pass > 1 ? "passed" : "failed"),
      });
      expect(mended.of("revision_packet_written")).toHaveLength(1);
      expect(mended.state).toBe("completed");
    },
  );

  it("[R-4] a regression has no waiver: the gate it ends at offers none", () => {
    const play = drive({ result: (_id, variant) => (variant === "base" ? "passed" : "failed") });
    expect(openGates(play.run)[0]?.answers).toEqual(["revise", "abort"]);
  });

  it("[R-4] a waiver given when the run was started does not cover a regression", () => {
    const policy = { ...autopilot, waivedChecks: ["npm run test"] };
    const play = new Play({ policy }, { result: (_id, variant) => (variant === "base" ? "passed" : "failed") }).go();
    expect(play.of("validation_waived")).toHaveLength(0);
    expect(play.state).not.toBe("completed");
  });

  it.each(["failed", "timed_out", "not_started", "nothing_ran"] as const)(
    "[R-33] what passed before and is now %s is a regression",
    (result) => {
      const evidence = (value: CheckEvidence["result"]) => ({ result: value }) as CheckEvidence;
      expect(compareCheck(evidence("passed"), [evidence(result)])).toBe("regression");
      expect(compareCheck(evidence("passed"), [evidence("passed"), evidence(result)])).toBe("regression");
    },
  );

  it("[R-33] tells fixed, still failing, nothing to run and not run apart", () => {
    const of = (value: CheckEvidence["result"]) => ({ result: value }) as CheckEvidence;
    expect(compareCheck(of("failed"), [of("passed")])).toBe("fixed");
    expect(compareCheck(of("failed"), [of("failed")])).toBe("still_failing");
    expect(compareCheck(of("nothing_ran"), [of("nothing_ran")])).toBe("nothing_to_run");
    expect(compareCheck(of("not_started"), [of("not_started")])).toBe("not_run");
    expect(compareCheck(undefined, [])).toBe("not_run");
    expect(compareCheck(undefined, [of("passed")])).toBe("pass");
  });

  it("[R-33] a pass with fewer tests, an unknown number, or files that reported none is not a plain pass", () => {
    const of = (testsRun: number | null, more: Partial<CheckEvidence> = {}) =>
      ({ result: "passed", variant: "patched", testsRun, ...more }) as CheckEvidence;
    expect(compareCheck(of(3), [of(3)])).toBe("pass");
    expect(compareCheck(of(3), [of(4)])).toBe("pass");
    expect(compareCheck(of(3), [of(2)])).toBe("fewer_tests");
    expect(compareCheck(of(3), [of(null)])).toBe("fewer_tests");
    expect(compareCheck(of(null), [of(null)])).toBe("pass");
    expect(compareCheck(of(1), [of(1, { silentFiles: 1 })])).toBe("fewer_tests");
    expect(compareCheck(of(2, { silentFiles: 1 }), [of(2, { silentFiles: 1 })])).toBe("pass");
    // Under the base commit's rules, where both were run.
    expect(compareCheck(of(3), [of(2), of(3, { variant: "guarded" })])).toBe("pass");
    expect(compareCheck(of(3), [of(3), of(2, { variant: "guarded" })])).toBe("fewer_tests");
  });

  it("[R-75] evidence from before the last edit proves nothing, and neither does other work than was captured", () => {
    const { run } = drive({}, { policy: earlyAutopilot });
    const standing = (of: typeof run, kind: string) => claims(of).find((claim) => claim.kind === kind)?.standing;
    const last = run.passes.at(-1);
    if (!last?.integration || !last.captured) throw new Error("nothing was integrated");
    const changed = (more: Partial<typeof last>) => ({
      ...run,
      passes: [...run.passes.slice(0, -1), { ...last, ...more }],
    });
    for (const kind of ["integration", "check", "verifier"]) expect(standing(run, kind)).toBe("proven");
    const edited = changed({ integration: { ...last.integration, seq: run.seq + 1 } });
    expect([standing(edited, "check"), standing(edited, "verifier")]).toEqual(["unproven", "unproven"]);
    const captured = changed({ captured: { ...last.captured, seq: run.seq + 1 } });
    expect([standing(captured, "check"), standing(captured, "verifier")]).toEqual(["unproven", "unproven"]);
    const other = changed({ integration: { ...last.integration, patchSha256: "0".repeat(64) } });
    expect(standing(other, "integration")).toBe("unproven");
  });

  it("[B-9] a pass of work that reads what no run can vary is reported with its reason, and not as proven", () => {
    const { run } = drive({}, { policy: earlyAutopilot });
    const repeats = { ran: 2, passed: 2, why: "a.js:1 reads the network", same: "a.js:1 reads the network" };
    const standing = (more: object) => {
      const last = run.passes.at(-1);
      if (!last) throw new Error("no pass");
      const checks = last.checks.map((one) => (one.variant === "base" ? one : { ...one, ...more }));
      const passes = [...run.passes.slice(0, -1), { ...last, checks }];
      return claims({ ...run, passes }).find(({ kind }) => kind === "check");
    };
    expect(standing({})?.standing).toBe("proven");
    expect(standing({ repeats })).toMatchObject({
      standing: "unproven",
      why: expect.stringContaining("a.js:1 reads the network, which checks cannot vary") as string,
    });
  });

  it("[B-6] the checks reach a change where they reach each of its files, and an expired time limit is reported", () => {
    const { run } = drive({}, { policy: earlyAutopilot });
    const whole = {
      canary: "noticed" as const,
      planned: 3,
      ran: 2,
      noticed: 2,
      reachRan: 2,
      reachNoticed: 2,
    };
    const more = { missed: [], weakened: null, budgetMs: 1, spentMs: 1 };
    const reach = (control: object) => {
      const last = run.passes.at(-1);
      if (!last) throw new Error("no pass");
      const checks = last.checks.map((one) =>
        one.variant === "patched" ? { ...one, control: { ...whole, ...more, ...control } } : one,
      );
      const passes = [...run.passes.slice(0, -1), { ...last, checks }];
      return claims({ ...run, passes }).find(({ kind }) => kind === "reach");
    };
    const both = ["a.go", "b.go"];
    expect(reach({ triedFiles: both, reachedFiles: both })?.standing).toBe("proven");
    expect(reach({ triedFiles: both, reachedFiles: ["a.go"] })).toMatchObject({
      standing: "unproven",
      why: expect.stringContaining("notice none in b.go") as string,
    });
    expect(reach({ ran: 0, noticed: 0, reachRan: 0, reachNoticed: 0 })).toMatchObject({
      standing: "unproven",
      why: "no mistake in the changed lines was tried in the time for it",
    });
    const every = { triedFiles: both, reachedFiles: both };
    expect(reach({ ...every, untriedFiles: ["c.go"], untried: 3 })).toMatchObject({
      standing: "unproven",
      why: expect.stringContaining("nothing was noticed or tried in c.go and 2 more") as string,
    });
    expect(reach({ ...every, untriedFiles: ["b.go"], untried: 1 })?.standing).toBe("proven");
    expect(reach({ ...every, known: "a.go:1 holds the values of a_test.go:3" })).toMatchObject({
      standing: "unproven",
      why: expect.stringContaining("and nothing shows that it is right for others") as string,
    });
    expect(reach({ planned: 1, ran: 0, noticed: 0, reachRan: 0, reachNoticed: 0 })).toBeUndefined();
  });

  it("[R-75] a waived check that ran fewer tests does not prove that nothing was lost", () => {
    const play = drive({ testsRun: (variant) => (variant === "base" ? 3 : 1) });
    expect(play.gate).toBe("validation_waiver");
    play.answer("approve").go();
    expect(play.state).toBe("completed");
    expect(claims(play.run).find(({ kind }) => kind === "no_regression")).toMatchObject({
      standing: "unproven",
    });
  });

  it("[R-33] what failed before and after needs a waiver that names the command", () => {
    const play = drive({ result: () => "failed" });
    expect(play.gate).toBe("validation_waiver");
    expect(openGates(play.run)[0]?.phrase).toBe("waive npm run test; apply isolated patch");
    play.answer("approve").go();
    expect(play.state).toBe("completed");
    expect(play.of("validation_waived")[0]).toMatchObject({
      command: "npm run test",
      by: { kind: "person" },
    });
  });

  it("[R-33] a project without checks is a finding that needs the user", () => {
    const play = drive({ checks: [] });
    expect(play.run.findings.map(({ kind }) => kind)).toContain("no_checks_found");
    expect(play.gate).toBe("validation_waiver");
    expect(openGates(play.run)[0]?.phrase).toBe("waive validation; apply isolated patch");
  });

  it("[R-33] a check with nothing to run is a finding, not a pass", () => {
    const play = drive({ result: () => "nothing_ran" });
    expect(play.run.findings.map(({ kind }) => kind)).toContain("nothing_to_run");
    expect(play.gate).toBe("validation_waiver");
  });

  it("[R-33] each open check needs its own waiver", () => {
    const play = drive({ checks: [check("npm:test"), check("npm:lint")], result: () => "failed" });
    const both = "waive npm run test; waive npm run lint; apply isolated patch";
    expect(openGates(play.run)[0]?.phrase).toBe(both);
    const [gate] = openGates(play.run);
    const answer = { type: "answer" as const, gateId: gate?.id ?? "", answer: "approve" as const };
    const by = { kind: "person" as const, surface: "cli" as const };
    const one = { ...answer, subjectSha256: gate?.subject.sha256 ?? "", message: "waive npm run test", by };
    expect(play.refusal(one).code).toBe("approval_required");
    play.answer("approve").go();
    expect(play.of("validation_waived").map(({ command }) => command)).toEqual(["npm run test", "npm run lint"]);
    expect(play.state).toBe("completed");
  });

  const redefining = (result: Cast["result"], policy: Policy = autopilot) =>
    new Play(
      { policy },
      {
        judge: () => ({
          verdict: "approval" as const,
          reason: "protected",
          protectedPaths: [{ path: "test/a.test.ts", why: "test" }],
          definingPaths: ["test/a.test.ts"],
        }),
        ...(result ? { result } : {}),
      },
    ).through("isolated_patch_application", "protected_patch_changes");

  it("[R-32] work that changes what defines a check is judged by both versions; one that fails both is a regression", () => {
    const play = redefining((_id, variant) => (variant === "base" ? "passed" : "failed"));
    const variants = play.effects.filter((one) => one.kind === "run_check").map(({ variant }) => variant);
    expect(variants.slice(0, 3)).toEqual(["base", "guarded", "patched"]);
    expect(play.of("revision_packet_written")[0]?.packet.reasonCode).toBe("validation_regression");
    expect(play.state).not.toBe("completed");
  });

  it("[R-32] a check that passes only as the work redefines it needs a person who names it, whatever was waived before", () => {
    const policy = { ...autopilot, waivedChecks: ["npm run test"] };
    const play = redefining((_id, variant) => (variant === "guarded" ? "failed" : "passed"), policy);
    expect(play.gate).toBe("validation_waiver");
    const [gate] = openGates(play.run);
    expect(gate).toMatchObject({
      phrase: "waive npm run test; protected test changes; apply isolated patch",
      cause: "redefined",
    });
    expect(gate?.subject.text).toContain("redefined by: test/a.test.ts");
    const host = { kind: "host" as const, surface: "mcp" as const };
    const answer = { type: "answer" as const, gateId: gate?.id ?? "", answer: "approve" as const };
    const exact = { ...answer, subjectSha256: gate?.subject.sha256 ?? "", message: "waive npm run test" };
    expect(play.refusal({ ...exact, by: host }).code).toBe("permission_denied");
    play.answer("approve").go();
    expect(play.state).toBe("completed");
    const found = claims(play.run).filter(({ kind }) => kind === "check" || kind === "no_regression");
    expect(found.map(({ standing }) => standing)).toEqual(["unproven", "unproven"]);
  });

  it.each(["failed", "nothing_ran", "timed_out"] as const)(
    "[R-32] a redefined check that %s is a regression that cannot be waived",
    (now) => {
      const play = redefining((_id, variant) =>
        variant === "base" ? "passed" : variant === "guarded" ? "failed" : now,
      );
      expect(play.of("revision_packet_written")[0]?.packet.reasonCode).toBe("validation_regression");
    },
  );

  it("a repair that leaves the changed definition in place is still judged by both", () => {
    const judge = (pass: number) => (pass === 1 ? { definingPaths: ["package.json"] } : {});
    const play = new Play(
      { policy: earlyAutopilot },
      { judge, replies: { verifier: verdicts("revise", "approve") } },
    ).go();
    const second = play.effects.filter((one) => one.kind === "run_check" && one.pass === 2);
    expect(second.map((one) => (one.kind === "run_check" ? one.variant : ""))).toEqual(["guarded", "patched"]);
  });

  it("checks that only the work defines are run too", () => {
    const play = new Play(
      { policy: autopilot },
      {
        judge: () => ({ definingPaths: ["package.json"] }),
        workChecks: [check("npm:test"), check("npm:new")],
        result: (id) => (id === "npm:new" ? "failed" : "passed"),
      },
    ).go();
    expect(play.gate).toBe("validation_waiver");
    expect(openGates(play.run)[0]?.phrase).toBe("waive npm run new; apply isolated patch");
  });
});
