import { describe, expect, it } from "vitest";
import { autopilot } from "../../../../tests/support/play.ts";
import { claims, openGates, responsibilities, reviewLanes } from "../index.ts";
import { drive, verdicts } from "../../../../tests/support/drive-review.ts";

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

  it.each([
    ["the same finding again", {}],
    ["a repair that leaves the work as it was", { tree: () => "1".repeat(40) }],
  ])("[R-43] where only a reviewer holds the work, a person takes it as it is: %s", (_, world) => {
    const play = drive({ replies: { verifier: verdicts("revise") }, ...world });
    const [gate] = openGates(play.run);
    expect(gate).toMatchObject({ kind: "repeated_failure", answers: ["accept", "revise", "abort"] });
    play.answer("accept", "good enough for me").go();
    expect(play.state).toBe("completed");
    const [taken] = play.of("work_accepted_by_user");
    expect(gate?.subject.text).toContain(`tree: ${taken?.tree}`);
    expect(claims(play.run).find(({ kind }) => kind === "verifier")).toMatchObject({ standing: "unproven" });
    const lane = reviewLanes(play.run).find(({ id }) => id === "verifier");
    expect(lane).toMatchObject({ required: true, state: "satisfied", satisfied: true });
    expect(lane?.why).toMatch(/^The user took the work as it is/);
    expect(responsibilities(play.run).flatMap(({ blockers }) => blockers)).toEqual([]);
  });

  it("[R-4] work that a person takes needs a waiver for each check that does not pass", () => {
    const play = drive({ replies: { verifier: verdicts("revise") }, result: () => "failed" });
    expect(play.gate).toBe("repeated_failure");
    play.answer("accept", "good enough for me").go();
    expect(play.gate).toBe("validation_waiver");
  });

  it("[R-43] a check that the work broke is not overruled by taking the work", () => {
    const play = drive({
      tree: () => "1".repeat(40),
      result: (_id, variant) => (variant === "base" ? "passed" : "failed"),
    });
    expect(openGates(play.run)[0]).toMatchObject({ kind: "repeated_failure", answers: ["revise", "abort"] });
  });

  it("[R-43] nor is one that breaks in work that differs each time", () => {
    const play = drive({ result: (_id, variant) => (variant === "base" ? "passed" : "failed") });
    expect(play.of("revision_packet_written").length).toBeGreaterThan(1);
    expect(openGates(play.run)[0]).toMatchObject({ kind: "repeated_failure", answers: ["revise", "abort"] });
  });

  it("[R-43] a person can have a wavering check run again on the same work, and the report tells both", () => {
    const steady = { flaky: true };
    const play = drive({
      tree: () => "1".repeat(40),
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

  it("[R-43] reviewers who always find something new are distinguished from a worker who fails", () => {
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
