import { describe, expect, it } from "vitest";
import { type Cast, Play, agent, creation, ref } from "../../../../tests/support/play.ts";
import { openGates } from "../index.ts";

const decide = (action: string, more = {}) => ({ payload: { action, reason: `it said ${action}`, ...more } });
const all = { ...creation().roles, planner: agent("stub:planner"), researcher: agent("stub:researcher") };
const read = (mode: "plan" | "research" | "review", cast: Cast = {}, more = {}) =>
  new Play({ mode, roles: all, ...more }, cast).go();

describe("modes that only read", () => {
  it.each([
    ["plan", "planner"],
    ["research", "researcher"],
    ["review", "critic"],
  ] as const)("[R-12] %s asks the %s and completes with its answer", (mode, role) => {
    const play = read(mode, { replies: { planner: [decide("complete")] } });
    expect(play.state).toBe("completed");
    expect(play.of("agent_asked").map(({ call }) => call.role)).toEqual([role]);
    expect(play.of("agent_asked")[0]?.call.workspace).toBe("read_only");
    expect(play.run.report).not.toBeNull();
    expect(play.run.packet).not.toBeNull();
  });

  it("[R-12] asks the orchestrator when the mapped role has no agent, and a preferred role before all", () => {
    expect(new Play({ mode: "research" }).go().of("agent_asked")[0]?.call.role).toBe("orchestrator");
    expect(read("plan", {}, { preferredRole: "critic" }).of("agent_asked")[0]?.call.role).toBe("critic");
  });

  it("[R-12] works outside a git repository, and then claims nothing about the checkout", () => {
    const play = read(
      "plan",
      { inspection: { git: false, head: null, clean: null } },
      { baseCommit: null, baseTree: null },
    );
    expect(play.state).toBe("completed");
    expect(play.of("agent_asked")[0]?.call.workspace).toBe("none");
    expect(JSON.stringify(play.json(play.run.report?.report)["claims"])).toContain('"unproven"');
  });

  it("[R-70] looks at git before and after, and can show that nothing was changed", () => {
    const play = read("research");
    expect(play.of("git_evidence_captured").map(({ moment }) => moment)).toEqual(["before", "after"]);
    expect(play.json(play.run.report?.report)["claims"]).toEqual([
      expect.objectContaining({ kind: "untouched", standing: "proven" }),
    ]);
  });

  it("[R-74] a decision to hand over to the implementer completes a plan run as a handoff plan", () => {
    const play = read("plan", { replies: { planner: [decide("delegate", { delegateTo: "implementer" })] } });
    expect(play.run.phase).toMatchObject({ state: "completed", stopReason: "handoff_plan", by: "planner" });
    expect(play.of("agent_asked")).toHaveLength(1);
    expect(play.of("plan_recorded")).toHaveLength(1);
  });

  it("[R-74] one that still requires evidence completes nothing: it gets the evidence and decides again", () => {
    const first = decide("delegate", {
      delegateTo: "implementer",
      requiresMoreEvidence: true,
      requestedPaths: ["a.ts"],
    });
    const play = read("plan", { replies: { planner: [first, decide("delegate", { delegateTo: "implementer" })] } });
    expect(play.of("repo_context_captured")).toHaveLength(1);
    expect(play.of("agent_asked").map(({ call }) => call.role)).toEqual(["planner", "planner"]);
    expect(play.of("plan_recorded").map(({ callId }) => callId)).toEqual([play.of("agent_asked")[1]?.call.callId]);
    expect(play.state).toBe("completed");
    const insists = read("plan", { replies: { planner: [first] } });
    expect(insists.gate).toBe("repeated_repo_context_delegate");
    expect(insists.of("run_completed")).toEqual([]);
  });

  it("[R-74] a handoff to another assigned role that reads invokes it, and the planner goes on with what it found", () => {
    const play = read("plan", {
      replies: { planner: [decide("delegate", { nextRole: "researcher" }), decide("complete")] },
    });
    expect(play.of("agent_asked").map(({ call }) => call.role)).toEqual(["planner", "researcher", "planner"]);
    expect(JSON.stringify(play.effects.findLast(({ kind }) => kind === "write_directive"))).toContain("it is flaky");
    expect(play.state).toBe("completed");
  });

  it.each([
    ["itself", { delegateTo: "planner" }, "self_read_only_delegate"],
    ["a role that has no agent", { delegateTo: "citation" }, "missing_read_only_delegate_assignment"],
    ["runtime code", { delegateTo: "integrator" }, "unsupported_read_only_delegate_role"],
  ] as const)("[R-74] a handoff to %s stops at a gate", (_, more, kind) => {
    expect(read("plan", { replies: { planner: [decide("delegate", more)] } }).gate).toBe(kind);
  });

  it("a role assigned at the missing-role gate is then asked", () => {
    const play = read("plan", {
      replies: { planner: [decide("delegate", { delegateTo: "citation" }), decide("complete")] },
    });
    play.give({
      type: "switch_role",
      role: "citation",
      assignment: agent("stub:citation"),
      by: { kind: "person", surface: "cli" },
    });
    play.answer("approve").go();
    expect(play.of("agent_asked").map(({ call }) => call.role)).toEqual(["planner", "citation", "planner"]);
  });

  it("[R-14] a plan sent back twice in a row stops, as an unclear goal", () => {
    const play = read("plan", { replies: { planner: [decide("revise_plan")] } });
    expect(openGates(play.run)[0]).toMatchObject({ kind: "repeated_failure", cause: "unclear_goal" });
    expect(play.of("agent_asked")).toHaveLength(2);
    play.answer("revise", "I mean the login of the admin page").go();
    expect(play.of("agent_asked").length).toBeGreaterThan(2);
  });
});

describe("what a decider is shown of the repository", () => {
  const wants = (...requestedPaths: string[]) => decide("delegate", { requiresMoreEvidence: true, requestedPaths });

  it("[R-72] the first request is captured and the same role is asked again", () => {
    const play = read("plan", { replies: { planner: [wants(), decide("complete")] } });
    expect(play.of("repo_context_captured")).toHaveLength(1);
    expect(play.of("agent_asked").map(({ call }) => call.role)).toEqual(["planner", "planner"]);
    expect(
      play.effects.findLast((one) => one.kind === "write_directive")?.draft.attachments.map(({ name }) => name),
    ).toContain("repo_context_1");
    expect(play.state).toBe("completed");
  });

  it("[R-72] a delegate that names no ready role is a request for evidence", () => {
    const play = read("plan", { replies: { planner: [decide("delegate"), decide("complete")] } });
    expect(play.of("repo_context_requested")).toHaveLength(1);
  });

  it("[R-72] a follow-up is captured only for paths not yet seen or seen in part", () => {
    const play = read("plan", {
      replies: { planner: [wants("a.ts", "b.ts"), wants("a.ts", "b.ts", "c.ts"), decide("complete")] },
      context: (paths, index) => paths.map((path) => ({ path, truncated: index === 0 && path === "b.ts" })),
    });
    expect(play.of("repo_context_requested").map(({ paths }) => paths)).toEqual([
      ["a.ts", "b.ts"],
      ["b.ts", "c.ts"],
    ]);
    const second = play.effects.filter((one) => one.kind === "capture_repo_context")[1];
    expect(second).toMatchObject({ previous: [expect.objectContaining({ kind: "context" })] });
    // The newest pack holds the files of the first: only it is sent.
    const sent = play.effects.findLast((one) => one.kind === "write_directive")?.draft.attachments ?? [];
    expect(sent.filter(({ ref: { kind } }) => kind === "context").map(({ ref: { ref: id } }) => id)).toEqual([
      play.run.contexts[1]?.context.ref,
    ]);
  });

  it("[R-72] broad or repeated requests stop at a gate instead of going round", () => {
    const play = read("plan", { replies: { planner: [wants("a.ts"), wants("a.ts")] } });
    expect(play.gate).toBe("repeated_repo_context_delegate");
    expect(read("plan", { replies: { planner: [wants(), wants()] } }).gate).toBe("repeated_repo_context_delegate");
  });

  it("[R-73] a web guest with a confirmed connector is pointed at the remote commit, and a second request stops", () => {
    const remote = {
      context: ref("remote_context", "r"),
      owner: "o",
      repo: "r",
      branch: "main",
      commit: "c".repeat(40),
    };
    const roles = {
      ...all,
      planner: agent("chatgpt-web:chatgpt-pro", { boundary: "external", modelBacked: false }),
    };
    const play = new Play(
      { mode: "plan", roles, policy: { ...creation().policy, approvals: "autopilot" } },
      {
        remote: { kind: "select_remote_context", remote, reason: "ok" },
        replies: { planner: [wants("a.ts")] },
      },
    ).go();
    expect(play.of("remote_repo_context_selected")[0]?.remote).toEqual(remote);
    expect(play.gate).toBe("repeated_remote_repo_context_delegate");
    expect(play.of("repo_context_captured")).toHaveLength(0);
    const draft = play.effects.find((one) => one.kind === "write_directive")?.draft;
    expect(draft?.instructions.join("\n")).toContain(
      `Read the repository with your GitHub connector: o/r, branch main, at exactly commit ${"c".repeat(40)}`,
    );
  });

  it("[R-73] a summon of a web guest gets the remote commit and the instruction too; other agents get neither", () => {
    const remote = { context: ref("remote_context", "r"), owner: "o", repo: "r", branch: null, commit: "c".repeat(40) };
    const policy = { ...creation().policy, approvals: "autopilot" as const };
    const cast = { remote: { kind: "select_remote_context" as const, remote, reason: "ok" } };
    const play = new Play({ mode: "plan", roles: all, policy }, cast).go();
    const summon = (assignment: string) => {
      const summoned = agent(assignment, { boundary: "external", modelBacked: true });
      const request = { role: "critic", kind: "critique", brief: "look", constraints: [], evidenceRefs: [] } as const;
      play.give({
        type: "summon",
        request: { ...request, constraints: [], evidenceRefs: [], persona: null, agent: summoned },
        by: { kind: "person", surface: "cli" },
      });
      play.go();
      const draft = play.effects.findLast((one) => one.kind === "write_directive")?.draft;
      const names = draft?.attachments.map(({ name }) => name) ?? [];
      return { names, told: draft?.instructions.join("\n") ?? "" };
    };
    const other = summon("openai-api:big");
    expect(other.names).not.toContain("remote_context");
    expect(play.of("remote_repo_context_selected")).toHaveLength(0);
    const page = summon("chatgpt-web:chatgpt-pro");
    expect(page.names).toContain("remote_context");
    expect(page.told).toContain(`GitHub connector: o/r, at exactly commit ${"c".repeat(40)}`);
    expect(summon("openai-api:big").told).not.toContain("GitHub connector");
    expect(play.of("remote_repo_context_selected")).toHaveLength(1);
  });

  it("[R-73] without the route it is local capture, with the reason on record", () => {
    const roles = {
      ...all,
      planner: agent("chatgpt-web:chatgpt-pro", { boundary: "external", modelBacked: false }),
    };
    const play = new Play(
      { mode: "plan", roles, policy: { ...creation().policy, approvals: "autopilot" } },
      { replies: { planner: [wants("a.ts"), decide("complete")] } },
    ).go();
    expect(play.of("remote_repo_context_selected")[0]).toMatchObject({
      remote: null,
      reason: "no_github_remote",
    });
    expect(play.of("repo_context_captured")).toHaveLength(1);
  });

  it("[R-71] a plan that is replaced is marked and kept", () => {
    const play = new Play({ mode: "implement", roles: all }).go().answer("revise", "other").go();
    expect(play.of("plan_superseded")).toHaveLength(1);
    expect(play.run.plans).toHaveLength(2);
  });
});
