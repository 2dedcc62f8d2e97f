import { describe, expect, it } from "vitest";
import type { ResolvedAssignment } from "../contract/index.ts";
import { defaultPolicy } from "../machine/policy/index.ts";
import { modelAccess } from "./model-access.ts";

const agent = (assignment: string, boundary: "local" | "external"): ResolvedAssignment => ({
  assignment,
  provider: assignment.split(":")[0] ?? "",
  model: assignment.split(":")[1] ?? "",
  identity: assignment,
  boundary,
  modelBacked: true,
  edits: "worktree",
  source: "user",
});

describe("where data would go", () => {
  it("[R-64] tells destinations, what crosses, the words to approve and what else is possible", () => {
    const report = modelAccess({
      crew: { planner: agent("openai-api:gpt", "external"), verifier: agent("local:small", "local") },
      purpose: "repo_context",
      policy: defaultPolicy,
      allowed: [],
    });
    expect(report).toMatchObject({ localOnly: true, dataLeaves: true });
    expect(report.destinations).toMatchObject([
      {
        role: "planner",
        boundary: "external",
        phrase: "send repo context to openai-api",
        passesByPolicy: false,
      },
      { role: "verifier", boundary: "local", crosses: expect.stringContaining("nothing") },
    ]);
    expect(report.approval).toContain("send repo context to openai-api");
    expect(report.approval).toContain("invoke openai-api");
    expect(report.fallbacks.length).toBeGreaterThan(1);
  });

  it("[R-64] names for a reviewer the words that its gate asks for", () => {
    const crew = { planner: agent("far:a", "external"), verifier: agent("far:b", "external") };
    const { destinations } = modelAccess({ crew, purpose: "repo_context", policy: defaultPolicy, allowed: [] });
    expect(destinations.map(({ phrase }) => phrase)).toEqual(["send repo context to far", "send run evidence to far"]);
  });

  it("[R-64] tells that no model would be called, and the most that a run may use", () => {
    const policy = { ...defaultPolicy, budgets: { ...defaultPolicy.budgets, maxTokens: 5_000, maxUsd: 2 } };
    const report = modelAccess({ crew: {}, purpose: "repo_context", policy, allowed: [] });
    expect(report).toMatchObject({ dataLeaves: false, destinations: [] });
    expect(report.approval).toContain("a run would not start");
    expect(report.cost).toContain("12 model calls, 5000 tokens, $2.00");
  });

  it("[S-12] an alias of an external provider is as external as the model it names, under any policy", () => {
    for (const approvals of ["manual", "auto_low_risk", "autopilot"] as const) {
      const report = modelAccess({
        crew: { critic: agent("openai-api:my-harmless-alias", "external") },
        purpose: "run_evidence",
        policy: { ...defaultPolicy, approvals },
        allowed: [],
      });
      expect(report.destinations[0]).toMatchObject({
        boundary: "external",
        passesByPolicy: false,
        phrase: "send run evidence to openai-api",
      });
    }
  });

  it("[R-64] of an endpoint tells where it is, what it may read, and what a server on this machine may do with it", () => {
    const reads = { calls: 24, bytes: 100_000 };
    const { destinations } = modelAccess({
      crew: {
        critic: { ...agent("openai-api:fast", "external"), identity: "api.openai.com/v1 gpt-5.5", reads },
        qa: { ...agent("ollama:coder", "local"), identity: "loopback:11434/v1 qwen3", reads },
      },
      purpose: "run_evidence",
      policy: defaultPolicy,
      allowed: [],
    });
    expect(destinations[0]?.crosses).toContain("to api.openai.com/v1 gpt-5.5");
    expect(destinations[0]?.crosses).toContain("up to 100000 bytes");
    expect(destinations[1]?.crosses).toContain("nothing by us");
    expect(destinations[1]?.crosses).toContain("its own affair");
  });

  it("[R-64] [B-27] names a destination that the user allowed, by provider and place, with its bounds", () => {
    const crew = {
      critic: { ...agent("far:fast", "external"), identity: "far.example/v1 fast" },
      qa: { ...agent("far:moved", "external"), identity: "elsewhere.example/v1 moved" },
    };
    const one = { provider: "far", place: "far.example/v1", maxBytes: 200_000, since: "2026-01-02T03:04:05.000Z" };
    const report = modelAccess({ crew, purpose: "run_evidence", policy: defaultPolicy, allowed: [one] });
    expect(report.allowed).toEqual([one]);
    expect(report.destinations.map(({ allowed }) => allowed)).toEqual([one, undefined]);
    expect(report.approval).toContain("each transfer stops at a gate");
    const { approval } = modelAccess({
      crew: { critic: crew.critic },
      purpose: "run_evidence",
      policy: defaultPolicy,
      allowed: [one],
    });
    expect(approval).toMatch(/^Transfers within the bounds that you allowed pass/);
  });
});
