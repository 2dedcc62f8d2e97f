// The lanes of the crew: who plans, builds, checks, reviews, applies, approves, reconciles and completes a run.
import { describe, expect, it } from "vitest";
import { Play, agent, autopilot } from "../../../../tests/support/play.ts";
import { done, revise } from "../../../../tests/support/view-scene.ts";
import { crewLanes, roleLanes, type CrewLane } from "./index.ts";

const lanesOf = ({ run }: Play): Record<string, CrewLane> =>
  Object.fromEntries(crewLanes(run).map((lane) => [lane.id, lane]));

describe("[R-45] the lanes of the crew", () => {
  it("have each its authority, and only those that can satisfy a gate say so", () => {
    const rows = Object.values(lanesOf(done())).map((lane) => [lane.id, lane.authority, lane.canSatisfyGate]);
    expect(rows).toEqual([
      ["planner", "read_only", false],
      ["researcher", "read_only", false],
      ["builder", "edit", false],
      ["runtime_qa", "runtime", true],
      ["qa_tester", "read_only", false],
      ["verifier", "read_only", true],
      ["critic", "read_only", false],
      ["citation", "read_only", false],
      ["integrator", "runtime", true],
      ["approval", "operator", true],
      ["reconciliation", "read_only", false],
      ["completion", "runtime", true],
    ]);
  });

  it("say of a completed run what was required, done and left to do, with references", () => {
    const lanes = lanesOf(done());
    expect(lanes["planner"]).toMatchObject({ role: "orchestrator", required: true, status: "satisfied" });
    expect(lanes["builder"]).toMatchObject({ role: "implementer", required: true, state: "done" });
    expect(lanes["runtime_qa"]).toMatchObject({ role: null, required: true, state: "done", status: "satisfied" });
    expect(lanes["qa_tester"]).toMatchObject({ role: "qa", required: true, status: "advisory" });
    expect(lanes["critic"]).toMatchObject({ required: false, status: "skipped" });
    expect(lanes["approval"]).toMatchObject({ owner: { kind: "operator" }, required: false, status: "satisfied" });
    expect(lanes["reconciliation"]).toMatchObject({ required: false, status: "ready", state: "idle" });
    expect(lanes["completion"]).toMatchObject({ owner: { kind: "runtime" }, status: "satisfied" });
    for (const id of ["planner", "builder", "runtime_qa", "qa_tester", "verifier", "integrator", "completion"])
      expect(lanes[id]?.refs.artifacts.length, id).toBeGreaterThan(0);
  });

  it("say of a run at a gate that it waits for the operator, by the name of the gate", () => {
    const lanes = lanesOf(new Play().go());
    expect(lanes["approval"]).toMatchObject({ state: "waiting", status: "blocked", required: true });
    expect(lanes["approval"]?.last).toContain("implementation_start");
    expect(lanes["completion"]).toMatchObject({ state: "idle", status: "pending" });
  });

  it("show a check that this work broke in the lane of the runtime", () => {
    const play = done({ result: (_, variant) => (variant === "base" ? "passed" : "failed") });
    expect(play.gate).toBe("repeated_failure");
    expect(lanesOf(play)["runtime_qa"]).toMatchObject({ state: "failed", canSatisfyGate: true });
  });

  it("give an assigned planner its lane and the orchestrator another, and count no call twice", () => {
    const play = new Play(
      { policy: autopilot, roles: { ...done().run.roles, planner: agent("stub:planner") } },
      revise,
    ).go();
    const lanes = lanesOf(play);
    expect(lanes["planner"]).toMatchObject({ role: "planner", responsibility: "plan" });
    expect(lanes["orchestrator"]).toMatchObject({ role: "orchestrator", responsibility: null });
    const tokens = (all: readonly { readonly tokens: number }[]) => all.reduce((sum, lane) => sum + lane.tokens, 0);
    expect(tokens(crewLanes(play.run))).toBe(tokens(roleLanes(play.run)));
    expect(crewLanes(play.run).filter(({ role }) => role === "planner")).toHaveLength(1);
  });
});
