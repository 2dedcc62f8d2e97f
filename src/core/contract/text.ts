// The closed lists of values (modes, states, roles, purposes) as plain data: help, completions, tool descriptions and the
// schemas of this room are built from them, and help loads no schema library.

export const runModes = ["implement", "plan", "research", "review"] as const;
export type RunMode = (typeof runModes)[number];

/** The kinds of a check. */
export const checkKinds = ["typecheck", "lint", "test", "build", "other"] as const;

export const activeStates = [
  "created",
  "planning",
  "delegating",
  "implementing",
  "integrating",
  "verifying",
  "critiquing",
] as const;
export const terminalStates = ["completed", "failed", "aborted"] as const;
export const isTerminal = (state: string): boolean => terminalStates.some((known) => known === state);
export const runStates = [...activeStates, "awaiting_approval", ...terminalStates] as const;

export const roles = [
  "orchestrator",
  "planner",
  "researcher",
  "implementer",
  "qa",
  "verifier",
  "critic",
  "integrator",
  "citation",
] as const;
export type Role = (typeof roles)[number];

/** The integrator is runtime code and never assigned. */
export const assignableRoles = roles.filter((role) => role !== "integrator");

/** Only roles that never edit can be summoned. */
export const summonableRoles = assignableRoles.filter((role) => role !== "implementer");

/** Roles that compare a completed run with its plan. */
export const reconcilingRoles = ["planner", "orchestrator"] as const;

export const summonKinds = ["review", "qa", "critique", "research", "plan"] as const;

/** The order of verification and integration in a run (B-1). */
export const integrationOrders = ["early", "late"] as const;
export type IntegrationOrder = (typeof integrationOrders)[number];

export const approvalModes = ["manual", "auto_low_risk", "autopilot"] as const;

export const transferPurposes = [
  "repo_context",
  "progress_packet",
  "memory_packet",
  "reconciliation",
  /** The diff, logs and findings that a reviewing or working role is given. */
  "run_evidence",
] as const;

/** `provider:model`, the text form of an assignment. */
export const assignmentPattern = /^[a-z][a-z0-9-]{0,31}:[A-Za-z0-9][A-Za-z0-9._/@-]{0,99}$/;
