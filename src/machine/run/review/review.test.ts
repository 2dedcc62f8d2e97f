import { describe, expect, it } from "vitest";
import { type Cast, Play, autopilot, check, creation, ref } from "../../../../tests/support/play.ts";
import { claims, defaultPolicy, openGates, reviewLanes, standingOf } from "../../index.ts";
import type { CheckEvidence, Policy } from "../../../contract/index.ts";

const verdicts = (...list: string[]) =>
  list.map((verdict) => ({
    payload: {
      verdict,
      summary: verdict,
      failedCriteria: verdict === "revise" ? [`criterion ${list.indexOf(verdict)}`] : [],
    },
  }));
const drive = (cast: Cast, more = {}) => new Play({ policy: autopilot, ...more }, cast).go();

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

  it("[R-4] a regression has no waiver: the gate it ends at offers none", () => {
    const play = drive({ result: (_id, variant) => (variant === "base" ? "passed" : "failed") });
    expect(openGates(play.run)[0]?.answers).toEqual(["revise", "abort"]);
  });

  it("[R-4] a waiver given when the run was started does not cover a regression", () => {
    const policy = { ...autopilot, waivedChecks: ["npm run test"] };
    const play = new Play(
      { policy },
      { result: (_id, variant) => (variant === "base" ? "passed" : "failed") },
    ).go();
    expect(play.of("validation_waived")).toHaveLength(0);
    expect(play.state).not.toBe("completed");
  });

  it.each(["failed", "timed_out", "not_started", "nothing_ran"] as const)(
    "[R-33] what passed before and is now %s is a regression",
    (result) => {
      const evidence = (value: CheckEvidence["result"]) => ({ result: value }) as CheckEvidence;
      expect(standingOf(evidence("passed"), [evidence(result)])).toBe("regression");
      expect(standingOf(evidence("passed"), [evidence("passed"), evidence(result)])).toBe("regression");
    },
  );

  it("[R-33] tells fixed, still failing, nothing to run and not run apart", () => {
    const of = (value: CheckEvidence["result"]) => ({ result: value }) as CheckEvidence;
    expect(standingOf(of("failed"), [of("passed")])).toBe("fixed");
    expect(standingOf(of("failed"), [of("failed")])).toBe("still_failing");
    expect(standingOf(of("nothing_ran"), [of("nothing_ran")])).toBe("nothing_to_run");
    expect(standingOf(of("not_started"), [of("not_started")])).toBe("not_run");
    expect(standingOf(undefined, [])).toBe("not_run");
    expect(standingOf(undefined, [of("passed")])).toBe("pass");
  });

  it("[R-33] a pass with fewer tests, an unknown number, or files that told of none is no plain pass", () => {
    const of = (testsRun: number | null, more: Partial<CheckEvidence> = {}) =>
      ({ result: "passed", variant: "patched", testsRun, ...more }) as CheckEvidence;
    expect(standingOf(of(3), [of(3)])).toBe("pass");
    expect(standingOf(of(3), [of(4)])).toBe("pass");
    expect(standingOf(of(3), [of(2)])).toBe("fewer_tests");
    expect(standingOf(of(3), [of(null)])).toBe("fewer_tests");
    expect(standingOf(of(null), [of(null)])).toBe("pass");
    expect(standingOf(of(1), [of(1, { silentFiles: 1 })])).toBe("fewer_tests");
    expect(standingOf(of(2, { silentFiles: 1 }), [of(2, { silentFiles: 1 })])).toBe("pass");
    // Under the base commit's rules, where both were run.
    expect(standingOf(of(3), [of(2), of(3, { variant: "guarded" })])).toBe("pass");
    expect(standingOf(of(3), [of(3), of(2, { variant: "guarded" })])).toBe("fewer_tests");
  });

  it("[R-75] evidence from before the last edit proves nothing, and neither does other work than was captured", () => {
    const { run } = drive({});
    const standing = (of: typeof run, kind: string) =>
      claims(of).find((claim) => claim.kind === kind)?.standing;
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

  it("[R-75] a waived check that ran fewer tests is no proof that nothing was lost", () => {
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
    expect(openGates(play.run)[0]?.phrase).toBe("waive npm run test");
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
    expect(openGates(play.run)[0]?.phrase).toBe("waive validation");
  });

  it("[R-33] a check with nothing to run is a finding, not a pass", () => {
    const play = drive({ result: () => "nothing_ran" });
    expect(play.run.findings.map(({ kind }) => kind)).toContain("nothing_to_run");
    expect(play.gate).toBe("validation_waiver");
  });

  it("[R-33] each open check needs its own waiver", () => {
    const play = drive({ checks: [check("npm:test"), check("npm:lint")], result: () => "failed" });
    play.answer("approve").go();
    expect(openGates(play.run)[0]?.phrase).toBe("waive npm run lint");
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
    expect(gate).toMatchObject({ phrase: "waive npm run test", cause: "redefined" });
    expect(gate?.subject.text).toContain("redefined by: test/a.test.ts");
    const host = { kind: "host" as const, surface: "mcp" as const };
    const answer = { type: "answer" as const, gateId: gate?.id ?? "", answer: "approve" as const };
    const exact = { ...answer, subjectSha256: gate?.subject.sha256 ?? "", message: "waive npm run test" };
    expect(play.refusal({ ...exact, by: host }).code).toBe("permission_denied");
    play.answer("approve").go();
    expect(play.state).toBe("completed");
    const told = claims(play.run).filter(({ kind }) => kind === "check" || kind === "no_regression");
    expect(told.map(({ standing }) => standing)).toEqual(["unproven", "unproven"]);
  });

  it.each(["failed", "nothing_ran", "timed_out"] as const)(
    "[R-32] a redefined check that %s is a regression that nobody can waive",
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
      { policy: autopilot },
      { judge, replies: { verifier: verdicts("revise", "approve") } },
    ).go();
    const second = play.effects.filter((one) => one.kind === "run_check" && one.pass === 2);
    expect(second.map((one) => (one.kind === "run_check" ? one.variant : ""))).toEqual([
      "guarded",
      "patched",
    ]);
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
    expect(openGates(play.run)[0]?.phrase).toBe("waive npm run new");
  });
});

describe("routing", () => {
  it("[R-40] writes tier, required lanes, skipped roles with reasons and signals as an artifact", () => {
    const play = drive({ judge: () => ({ signals: ["dependency"] }) });
    const routing = play.of("review_routing_decided")[0]?.routing;
    expect(routing).toMatchObject({ tier: "high", required: { validation: true, qa: true, verifier: true } });
    expect(play.json(routing?.artifact)).toMatchObject({
      kind: "review_routing",
      riskTier: "high",
      signals: { validationCommandCount: 1 },
    });
  });

  it.each([
    ["documentation with passing checks is low", { docsOnly: true }, undefined, "low", false],
    ["documentation with a failing check is not low", { docsOnly: true }, "failed", "high", true],
    ["an ordinary change is medium", {}, undefined, "medium", true],
    ["a big change is high", { addedLines: 2_000 }, undefined, "high", true],
    ["a secret in the patch is high", { secretCount: 1 }, undefined, "high", true],
  ] as const)("[R-40] %s", (_, judgement, result, tier, qa) => {
    const play = drive({ judge: () => judgement, ...(result ? { result: () => result } : {}) });
    expect(play.of("review_routing_decided")[0]?.routing).toMatchObject({
      tier,
      required: { qa, verifier: true },
    });
  });

  it("[R-41] a skipped QA lane has a recorded reason and weakens nothing else", () => {
    const play = drive({ judge: () => ({ docsOnly: true }) });
    expect(play.of("review_routing_decided")[0]?.routing.skipped).toContainEqual({
      role: "qa",
      reason: expect.stringContaining("low risk"),
    });
    expect(play.of("agent_asked").map(({ call }) => call.role)).toEqual([
      "orchestrator",
      "implementer",
      "verifier",
    ]);
    expect(play.state).toBe("completed");
  });

  it("[R-41] QA that nobody fills is skipped with a reason", () => {
    const { qa: _, ...roles } = creation().roles;
    const play = new Play({ policy: autopilot, roles }).go();
    expect(play.of("review_routing_decided")[0]?.routing.skipped).toContainEqual({
      role: "qa",
      reason: "nobody is assigned to QA",
    });
  });
});

describe("verdicts", () => {
  it("[R-43] revise becomes a packet, the work is repaired, and only fresh evidence counts", () => {
    const play = drive({ replies: { verifier: verdicts("revise", "approve") } });
    expect(play.state).toBe("completed");
    const second = play.run.passes[2];
    expect(second?.revision).toMatchObject({ reasonCode: "verifier_revise", pass: 1 });
    const edit = second?.integration?.seq ?? 0;
    for (const seq of [second?.validation?.seq, second?.routing?.seq]) expect(seq).toBeGreaterThan(edit);
    const verifier = play.run.calls.find(({ record }) => record.callId === second?.verifier);
    expect(verifier?.seq).toBeGreaterThan(edit);
  });

  it("[R-43] an approval of an earlier pass does not count for a later one", () => {
    const play = drive({ replies: { verifier: verdicts("approve", "revise") }, result: () => "failed" });
    expect(play.gate).toBe("validation_waiver");
    play.answer("revise", "no, make the test pass").go();
    expect(play.state).not.toBe("completed");
    expect(reviewLanes(play.run).find(({ id }) => id === "verifier")?.satisfied).toBe(false);
  });

  it("[R-43] QA's needs_revision goes back to the worker before the verifier is paid for", () => {
    const play = drive({
      replies: {
        qa: [
          { payload: { verdict: "needs_revision", summary: "empty input", missedCases: ["empty input"] } },
          { payload: { verdict: "pass", summary: "ok" } },
        ],
      },
    });
    expect(play.run.passes[1]?.outcome).toMatchObject({
      reasonCode: "qa_needs_revision",
      acceptanceCriteria: ["empty input"],
    });
    expect(play.run.passes[1]?.verifier).toBeNull();
    expect(play.state).toBe("completed");
  });

  it("[R-42] the first cause triggers the critic once a pass, on record, and its answer satisfies nothing", () => {
    const play = drive({ replies: { verifier: verdicts("revise", "approve") } });
    const triggers = play.of("critic_trigger_written").map(({ trigger }) => trigger);
    expect(triggers).toHaveLength(1);
    expect(triggers[0]).toMatchObject({
      reasonCode: "verifier_failed",
      called: true,
      sourceRoles: ["verifier"],
    });
    expect(play.json(triggers[0]?.artifact)).toMatchObject({
      kind: "critic_trigger",
      responseRef: expect.stringMatching(/^sha256:/),
    });
    expect(play.of("state_changed").map(({ to }) => to)).toContain("critiquing");
  });

  it("[R-42] without a critic the trigger is still recorded, as not called", () => {
    const { critic: _, ...roles } = creation().roles;
    const play = new Play(
      { policy: autopilot, roles },
      { replies: { verifier: verdicts("revise", "approve") } },
    ).go();
    expect(play.of("critic_trigger_written")[0]?.trigger.called).toBe(false);
    expect(play.state).toBe("completed");
  });

  it("[R-42] a verifier that approves over a failing check is a mismatch", () => {
    const play = drive({ result: () => "failed" });
    expect(play.of("critic_trigger_written")[0]?.trigger.reasonCode).toBe("validation_mismatch");
  });

  it.each(["unsafe", "unclear"])(
    "[R-43] a critic that says %s with blocking concerns stops for a person, also under autopilot",
    (verdict) => {
      const play = drive({
        replies: {
          verifier: verdicts("revise"),
          critic: [{ payload: { verdict, blockingConcerns: ["drops the table"] } }],
        },
      });
      expect(play.gate).toBe("critic_safety_review");
      expect(openGates(play.run)[0]?.subject.text).toContain("drops the table");
      expect(play.of("revision_packet_written")).toHaveLength(0);
    },
  );

  it("[R-43] blocking concerns of the critic become a packet with what the verifier found", () => {
    const play = drive({
      replies: {
        verifier: verdicts("revise", "approve"),
        critic: [{ payload: { verdict: "needs_revision", blockingConcerns: ["race"] } }],
      },
    });
    expect(play.run.passes[1]?.outcome).toMatchObject({
      reasonCode: "critic_needs_revision",
      acceptanceCriteria: ["race", "criterion 0"],
    });
  });

  it("[R-43] ask_user stops even when the critic would revise", () => {
    const play = drive({
      replies: {
        verifier: verdicts("ask_user"),
        critic: [{ payload: { verdict: "needs_revision", blockingConcerns: ["x"] } }],
      },
    });
    expect(play.gate).toBe("verifier_verdict");
  });

  it("[R-43] a person can accept what the verifier left to them, and the run goes on from there as theirs", () => {
    const play = drive({ replies: { verifier: verdicts("ask_user") } });
    expect(play.gate).toBe("verifier_verdict");
    play.answer("accept", "good enough for me").go();
    expect(play.run.phase).toMatchObject({ state: "completed", by: "user" });
    expect(play.of("work_accepted_by_user")[0]).toMatchObject({
      tree: "1".repeat(40),
      by: { kind: "person" },
    });
    expect(play.of("agent_asked").filter(({ call }) => call.role === "verifier")).toHaveLength(1);
  });

  it("[R-4] accepting does not wave a failing check through", () => {
    const play = drive({ replies: { verifier: verdicts("ask_user") }, result: () => "failed" });
    play.answer("accept", "fine").go();
    expect(play.gate).toBe("validation_waiver");
  });

  it("[R-43] a person can send it back with words, or end it", () => {
    const revised = drive({ replies: { verifier: verdicts("ask_user", "approve") } })
      .answer("revise", "rename it")
      .go();
    expect(revised.run.passes[2]?.revision).toMatchObject({
      reasonCode: "user_revise",
      objective: "rename it",
    });
    expect(revised.state).toBe("completed");
    const ended = drive({ replies: { verifier: verdicts("ask_user") } }).answer("abort", "no");
    expect(ended.run.phase).toMatchObject({ state: "aborted", stopReason: "user_abort" });
  });

  it("[R-62] a verifier's abort can be revised or ended, and not accepted", () => {
    const play = drive({ replies: { verifier: verdicts("abort") } });
    expect(openGates(play.run)[0]).toMatchObject({ kind: "verifier_verdict", answers: ["revise", "abort"] });
  });
});

describe("loops that do not converge", () => {
  it("[R-14] the same finding again stops, says why and whose fault it looks like", () => {
    const play = drive({ replies: { verifier: verdicts("revise") } });
    expect(play.gate).toBe("repeated_failure");
    expect(openGates(play.run)[0]).toMatchObject({ cause: "actor_failure" });
    expect(openGates(play.run)[0]?.subject.text).toContain("came back 2 times");
    expect(play.of("agent_asked").filter(({ call }) => call.role === "implementer")).toHaveLength(2);
  });

  it("a repair that brings back earlier work is a circle", () => {
    const replies = {
      verifier: ["a", "b", "c"].map((criterion) => ({
        payload: { verdict: "revise", summary: criterion, failedCriteria: [criterion] },
      })),
    };
    const play = drive(
      { replies, tree: (pass) => (pass % 2 === 1 ? "1".repeat(40) : "2".repeat(40)) },
      { policy: { ...autopilot, budgets: { ...autopilot.budgets, maxIterations: 50 } } },
    );
    expect(play.gate).toBe("repeated_failure");
    expect(openGates(play.run)[0]?.subject.text).toContain("exactly the work of pass 1");
  });

  it("a repair that changes nothing stops", () => {
    const play = drive({
      replies: { verifier: verdicts("revise") },
      tree: (pass) => (pass === 1 ? "1".repeat(40) : null),
    });
    expect(play.gate).toBe("repeated_failure");
    expect(openGates(play.run)[0]?.subject.text).toContain("changed nothing");
  });

  it("[R-43] a person can have a wavering check run again on the same work, and the report tells both", () => {
    const steady = { flaky: true };
    const play = drive({
      tree: (pass) => (pass === 1 ? "1".repeat(40) : null),
      result: (_id, variant) => (variant !== "base" && steady.flaky ? "failed" : "passed"),
    });
    expect(play.gate).toBe("repeated_failure");
    play.answer("revise", "still flaky, look again").go();
    expect(play.gate).toBe("repeated_failure");
    steady.flaky = false;
    play.answer("revise", "the machine was full; look again").go();
    expect(play.state).toBe("completed");
    const [check] = claims(play.run).filter(({ kind }) => kind === "check");
    expect(check).toMatchObject({
      standing: "proven",
      why: expect.stringContaining("also failed on this very tree"),
    });
  });

  it("reviewers who always find something new are told apart from a worker who fails", () => {
    const replies = {
      verifier: Array.from({ length: 9 }, (_, index) => ({
        payload: { verdict: "revise", summary: "again", failedCriteria: [`nit ${index}`] },
      })),
    };
    const play = drive(
      { replies },
      { policy: { ...autopilot, budgets: { ...autopilot.budgets, maxIterations: 99, maxRevisions: 3 } } },
    );
    expect(openGates(play.run)[0]).toMatchObject({
      kind: "repeated_failure",
      cause: "reviewer_disagreement",
    });
    expect(play.of("revision_packet_written")).toHaveLength(3);
  });

  it("a person's words start the count anew", () => {
    const play = drive({ replies: { verifier: verdicts("revise", "revise", "approve") } });
    expect(play.gate).toBe("repeated_failure");
    play.answer("revise", "use a mutex").go();
    expect(play.state).toBe("completed");
  });

  it("[R-43] a patch that cannot be applied goes back, and the third time a person is asked", () => {
    const play = drive({
      judge: () => ({ verdict: "reject", reason: "path_escape", message: "leaves the repository" }),
    });
    expect(play.of("patch_applied")).toHaveLength(0);
    expect(play.gate).toBe("repeated_failure");
    expect(play.of("revision_packet_written").map(({ packet }) => packet.reasonCode)).toEqual([
      "patch_rejected",
      "patch_rejected",
    ]);
  });

  it("[S-6] paths outside what is allowed are never applied, even when the judge would accept", () => {
    const play = drive({ judge: () => ({ verdict: "accept", outsidePaths: ["infra/prod.tf"] }) });
    expect(play.of("patch_applied")).toHaveLength(0);
    expect(play.run.passes[1]?.outcome?.acceptanceCriteria[0]).toContain("infra/prod.tf");
  });
});

describe("a worker's own account", () => {
  it("[R-4] is compared with what it did", () => {
    const play = drive({
      replies: { implementer: [{ payload: { status: "changed", changedFiles: ["README.md"] } }] },
    });
    expect(play.run.findings.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(["unreported_change", "reported_but_unchanged"]),
    );
  });

  it("[R-30] no change said and a change made: the change is captured all the same", () => {
    const play = drive({ replies: { implementer: [{ payload: { status: "no_change" } }] } });
    expect(play.of("patch_applied")).toHaveLength(1);
  });

  it("an empty patch after `changed` is a finding, and the verifier sees no diff", () => {
    const play = drive({ tree: () => null });
    expect(play.run.findings.map(({ kind }) => kind)).toContain("empty_patch_after_changed");
    const directive = play.effects.findLast(
      (one) => one.kind === "write_directive" && one.call.role === "verifier",
    );
    expect(JSON.stringify(directive)).not.toContain('"diff"');
  });

  it("[R-30] direct edits are judged and recorded like any other, without being applied twice", () => {
    const play = new Play({ policy: { ...defaultPolicy, directEdit: true } }).go();
    play.answer("approve").go();
    expect(play.state).toBe("completed");
    expect(play.of("patch_applied")[0]?.integration.alreadyApplied).toBe(true);
    expect(
      play.effects.find((one) => one.kind === "call_provider" && one.call.role === "implementer"),
    ).toMatchObject({ call: { workspace: "direct" } });
  });
});

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

  it("[R-17] gates say what kind of failure the run stands before", () => {
    const at = (play: Play) => openGates(play.run)[0]?.failureClass;
    expect(at(new Play().go())).toBe("approval_required");
    expect(at(drive({ replies: { implementer: [{ status: "blocked", payload: {} }] } }))).toBe(
      "provider_error",
    );
    expect(at(drive({ replies: { verifier: verdicts("ask_user") } }))).toBe("ambiguous_goal");
    expect(
      at(drive({ replies: { verifier: verdicts("revise"), critic: [{ payload: { verdict: "unsafe" } }] } })),
    ).toBe("unsafe_action");
    expect(
      at(
        drive({ tokens: 50 }, { policy: { ...autopilot, budgets: { ...autopilot.budgets, maxTokens: 60 } } }),
      ),
    ).toBe("budget_exhausted");
  });

  it("[R-13] a directive holds no more evidence than one can, and what failed comes first", () => {
    const checks = Array.from({ length: 40 }, (_, index) => check(`npm:check${index}`));
    const play = drive({ checks, result: (id) => (id === "npm:check39" ? "failed" : "passed") });
    const effect = play.effects.findLast(
      (one) => one.kind === "write_directive" && one.call.role === "verifier",
    );
    if (effect?.kind !== "write_directive") throw new Error("no directive");
    const logs = effect.draft.attachments.filter(({ name }) => name.endsWith("stdout"));
    expect(logs.slice(0, 2).map(({ name }) => name)).toEqual([
      "npm:check39 patched stdout",
      "npm:check39 base stdout",
    ]);
  });
});

describe("saying that nothing is to be done", () => {
  it("an orchestrator that says complete without recorded evidence stops for a person", () => {
    const play = drive({
      replies: {
        orchestrator: [
          { payload: { action: "complete", reason: "all good", evidenceRefs: ["sha256:made-up"] } },
        ],
      },
    });
    expect(play.gate).toBe("orchestrator_complete_without_evidence");
    play.answer("approve").go();
    expect(play.state).toBe("completed");
    expect(play.of("agent_asked").map(({ call }) => call.role)).toEqual(["orchestrator", "qa", "verifier"]);
  });

  it("with evidence of this run it is verified, not believed", () => {
    const evidence = ref("evidence", "status").ref;
    const play = drive({
      replies: {
        orchestrator: [{ payload: { action: "complete", reason: "all good", evidenceRefs: [evidence] } }],
      },
    });
    expect(play.state).toBe("completed");
    expect(play.of("agent_asked").map(({ call }) => call.role)).toContain("verifier");
  });

  it("[R-12] a decision to abort aborts, with its reason", () => {
    for (const mode of ["implement", "plan"] as const) {
      const play = drive(
        { replies: { orchestrator: [{ payload: { action: "abort", reason: "the goal is harmful" } }] } },
        { mode },
      );
      expect(play.run.phase).toMatchObject({
        state: "aborted",
        stopReason: "decision_abort",
        message: "the goal is harmful",
      });
    }
  });
});
