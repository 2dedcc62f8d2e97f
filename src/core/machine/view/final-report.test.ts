// The final report: each claim is proven by events of the log, or printed as unproven.
import { describe, expect, it } from "vitest";
import { type Cast, Play, autopilot, check } from "../../../../tests/support/play.ts";
import { buildFinalReport, claims } from "./index.ts";
import { done, revise } from "../../../../tests/support/view-scene.ts";

describe("the final report", () => {
  it("[R-75] holds goal, state, stop reason, who completed, commands, approvals, lanes, trail and refs", () => {
    const play = done(revise);
    const report = play.json(play.run.report?.report);
    expect(report).toMatchObject({
      kind: "final_report",
      finalState: "completed",
      stopReason: "success",
      completedBy: "verifier",
      goal: play.run.created.goal,
    });
    for (const key of ["commands", "approvals", "reviewLanes", "crewLanes", "revisionTrail", "artifacts"])
      expect((report[key] as unknown[]).length).toBeGreaterThan(0);
  });

  it("[R-75] names the changed files of work that stands on a branch, and none where it never got there", () => {
    const ended = (cast: Cast = {}) => {
      const play = new Play({ policy: autopilot, toBranch: "fix" }, cast).through();
      return buildFinalReport(play.run).report;
    };
    expect(ended()).toMatchObject({ finalState: "completed", changedPaths: ["src/login.ts"] });
    expect(ended({ checks: [], tree: () => null })).toMatchObject({ finalState: "failed", changedPaths: [] });
  });

  it("each claim that is proven points at events of the log that show it, after the last edit", () => {
    const play = done(revise);
    for (const claim of claims(play.run)) {
      if (claim.standing !== "proven") continue;
      expect(claim.evidence.length).toBeGreaterThan(0);
      for (const seq of claim.evidence) expect(play.log[seq - 1]).toBeDefined();
    }
    const checked = claims(play.run).find(({ kind }) => kind === "check");
    const events = (checked?.evidence ?? []).map((seq) => play.log[seq - 1]?.event);
    expect(
      events.map((event) =>
        event?.type === "check_executed"
          ? `${event.check.variant} ${event.check.tree[0]} ${event.check.result}`
          : event?.type,
      ),
    ).toEqual(["base b passed", "patched 2 passed"]);
    const approved = claims(play.run).find(({ kind }) => kind === "verifier");
    const applied = play.log.findLast(({ event }) => event.type === "isolated_patch_captured");
    expect(Math.min(...(approved?.evidence ?? [0]))).toBeGreaterThan(applied?.seq ?? Infinity);
  });

  it("[R-4] a scripted liar in every role cannot put an unproven sentence into it as fact", () => {
    const lie = "All 412 tests pass and the security team has approved this.";
    const say = (payload: Record<string, unknown>) => [{ summary: lie, payload: { ...payload, markdown: lie } }];
    const play = done({
      checks: [],
      tree: () => null,
      replies: {
        orchestrator: say({ action: "delegate", reason: lie, delegateTo: "implementer" }),
        implementer: say({ status: "changed", changedFiles: ["everything.ts"], commandsRun: ["npm test"] }),
        qa: say({ verdict: "pass" }),
        verifier: say({ verdict: "approve" }),
        critic: say({ verdict: "acceptable" }),
      },
    });
    expect(play.run.phase).toMatchObject({ state: "failed", stopReason: "no_change" });
    const report = buildFinalReport(play.run);
    const proven = report.report.claims.filter(({ standing }) => standing === "proven");
    expect(proven.map(({ kind }) => kind)).toEqual(["verifier"]);
    expect(report.report.claims.find(({ kind }) => kind === "integration")).toMatchObject({
      standing: "unproven",
    });
    const [facts, said] = report.markdown.split("## What the agents said");
    expect(said).toContain(lie);
    expect(facts?.split("## Reviews")[0]).not.toContain("412");
    expect(report.markdown).toContain("unproven: The project's checks pass");
  });

  it("[R-4] [B-9] a worker's claim to have run a command is never a claim of the report, and is reported once, beside the runtime's own run of it on this tree", () => {
    const ran = {
      replies: {
        implementer: [
          { payload: { status: "changed", commandsRun: ["npm run test", "npm run test", "npm run other"] } },
        ],
      },
    };
    const { markdown, report } = buildFinalReport(done(ran).run);
    const [facts = "", said = ""] = markdown.split("## What the agents said");
    expect(facts).not.toContain("says it ran");
    expect(JSON.stringify(report.claims)).not.toContain("says it ran");
    expect(said).toMatch(/says it ran `npm run test`; the runtime ran the same command on this tree/);
    expect(said).toContain("says it ran `npm run other`; the runtime did not see it");
    expect(said.match(/says it ran `npm run test`/g)).toHaveLength(1);
    const failing = buildFinalReport(new Play({ policy: autopilot }, { ...ran, result: () => "failed" }).go().run);
    expect(failing.markdown).toContain("says it ran `npm run test`; the runtime did not see it");
  });

  it("[R-43] work that comes back is checked again: the claim rests on what ran after the last edit", () => {
    const nits = ["a", "b"].map((criterion) => ({
      payload: { verdict: "revise", summary: criterion, failedCriteria: [criterion] },
    }));
    const play = done({
      tree: (pass) => (pass === 2 ? "2" : "1").repeat(40),
      replies: { verifier: [...nits, { payload: { verdict: "approve", summary: "yes" } }] },
    });
    expect(play.state).toBe("completed");
    const edit = play.log.findLast(({ event }) => event.type === "isolated_patch_captured")?.seq ?? Infinity;
    const claim = claims(play.run).find(({ kind }) => kind === "check");
    expect(claim?.standing).toBe("proven");
    expect(claim?.evidence.at(-1)).toBeGreaterThan(edit);
    expect(play.effects.filter((one) => one.kind === "run_check" && one.tree === "1".repeat(40))).toHaveLength(2);
  });

  it("[R-4] a pass of an earlier state of the work proves nothing about a later one", () => {
    const play = done({
      result: (_id, variant, pass) => (variant !== "base" && pass === 1 ? "passed" : "failed"),
      replies: {
        implementer: [{ payload: { status: "changed", commandsRun: ["npm run test"] } }],
        verifier: [
          { payload: { verdict: "revise", summary: "no", failedCriteria: ["x"] } },
          { payload: { verdict: "approve", summary: "yes" } },
        ],
      },
    });
    expect(play.of("check_executed").map(({ check: one }) => `${one.variant} ${one.result}`)).toEqual([
      "base failed",
      "patched passed",
      "patched failed",
    ]);
    expect(play.gate).toBe("validation_waiver");
    play.answer("approve").go();
    const about = claims(play.run).filter(({ kind }) => kind === "check");
    expect(about.map(({ kind, standing }) => `${kind} ${standing}`)).toEqual(["check unproven"]);
  });

  it("[R-4] a check without a result on the base tree proves no comparison with it, and the report names it", () => {
    const compared = (cast: Cast) => {
      const play = done(cast);
      // Before the work, where a check cannot run here, and after it, where one does not pass.
      for (let gates = 0; gates < 3 && play.gate !== undefined; gates += 1) play.answer("approve").go();
      return claims(play.run).find(({ kind }) => kind === "no_regression");
    };
    for (const result of ["not_started", "nothing_ran", "timed_out"] as const)
      expect(compared({ result: () => result }), result).toMatchObject({
        standing: "unproven",
        evidence: [],
        why: "without a result on the base tree: `npm run test`",
      });
    const one = compared({
      checks: [check("npm:test"), check("npm:lint")],
      result: (id, variant) => (id === "npm:lint" && variant === "base" ? "timed_out" : "passed"),
    });
    expect(one).toMatchObject({
      standing: "proven",
      why: "1 of 2 checks were run on the base tree and on this one; without a result on the base tree: `npm run lint`",
    });
  });

  it("[R-4] no verdict but approve proves that the work was approved", () => {
    for (const verdict of ["ask_user", "abort"]) {
      const play = done({ replies: { verifier: [{ payload: { verdict, summary: "?" } }] } });
      expect(claims(play.run).find(({ kind }) => kind === "verifier")).toMatchObject({
        standing: "unproven",
        why: expect.stringContaining(verdict),
      });
    }
  });

  it("what the user accepted is said to be the user's word", () => {
    const play = done({ replies: { verifier: [{ payload: { verdict: "ask_user", summary: "?" } }] } })
      .answer("accept", "mine")
      .go();
    expect(claims(play.run).find(({ kind }) => kind === "verifier")).toMatchObject({
      standing: "unproven",
      why: expect.stringContaining("mine"),
    });
  });

  it("a waived check is printed as unproven with the waiver", () => {
    const play = done({ result: () => "failed" })
      .answer("approve")
      .go();
    expect(claims(play.run).find(({ kind }) => kind === "check")).toMatchObject({
      standing: "unproven",
      why: expect.stringContaining("waived"),
    });
  });
});

describe("confinement in the report", () => {
  it("[B-4] [B-19] says in its first line that nothing confined the work, and nothing of it where a sandbox did", () => {
    const first = (cast: Cast) => buildFinalReport(done(cast).run).markdown.split("\n")[0];
    expect(first({ sandbox: "none" })).toMatch(/^> Nothing confined this work: (\d+) of \1 commands ran/);
    const why = "none: bubblewrap (bwrap) is not installed, so commands run with your own rights.";
    expect(first({ sandbox: why })).toMatch(/^> Nothing confined this work: (\d+) of \1 commands ran/);
    expect(first({})).toBe("# make the login test stable");
  });
});
