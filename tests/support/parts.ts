// The parts runs are made of in tests: names, agents, checks, a creation.
import { createHash } from "node:crypto";
import type {
  ArtifactKind,
  ArtifactRef,
  CheckSpec,
  CreateRun,
  ResolvedAssignment,
  SummonRequest,
} from "../../src/core/contract/index.ts";
import { type MachineDeps, defaultPolicy } from "../../src/core/machine/index.ts";

export const sha256 = (data: Uint8Array | string): string => createHash("sha256").update(data).digest("hex");
export const deps: MachineDeps = { sha256 };
export const baseTree = "b".repeat(40);
export const treeOf = (pass: number): string => String(pass).repeat(40).slice(0, 40);

export function ref(kind: ArtifactKind, name: string, bytes = name.length): ArtifactRef {
  return {
    ref: `sha256:${sha256(`${kind}/${name}`)}`,
    kind,
    bytes,
    mediaType: "application/json",
    summary: name,
  };
}

export function agent(assignment: string, more: Partial<ResolvedAssignment> = {}): ResolvedAssignment {
  const [provider = "stub", model = "default"] = assignment.split(":");
  return {
    assignment,
    provider,
    model,
    identity: assignment,
    boundary: "local",
    modelBacked: provider !== "stub",
    edits: "worktree",
    source: "default",
    ...more,
  };
}

export const check = (id: string, more: Partial<CheckSpec> = {}): CheckSpec => ({
  id,
  kind: "test",
  argv: ["npm", "run", id.replace("npm:", "")],
  cwd: "",
  source: "package.json",
  timeoutMs: 1_000,
  ...more,
});

export function creation(more: Partial<CreateRun> = {}): CreateRun {
  return {
    type: "create",
    goal: "make the login test stable",
    mode: "implement",
    constraints: [],
    acceptanceCriteria: ["the login test passes"],
    preferredRole: null,
    policy: defaultPolicy,
    roles: {
      orchestrator: agent("stub:orchestrator"),
      implementer: agent("stub:implementer"),
      qa: agent("stub:qa"),
      verifier: agent("stub:verifier"),
      critic: agent("stub:critic"),
    },
    baseCommit: "c".repeat(40),
    baseTree,
    branch: "main",
    createdBy: { kind: "person", surface: "cli" },
    ...more,
  };
}

/** Somebody asked beside the loop. */
export const summonRequest = (more: Partial<SummonRequest> = {}): SummonRequest => ({
  role: "critic",
  kind: "review",
  brief: "look at the race",
  persona: null,
  constraints: [],
  evidenceRefs: [],
  agent: null,
  ...more,
});

/** The order of the seed: applied first, then verified. */
export const early = { ...defaultPolicy, integrate: "early" as const };
export const earlyAutopilot = { ...early, approvals: "autopilot" as const };
export const autopilot = { ...defaultPolicy, approvals: "autopilot" as const };
