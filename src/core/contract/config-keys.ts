// The keys that a person is likely to set, for completions. Plain data: help and completions load no schema library.

export const configKeys = [
  "policy.approvals",
  "policy.budgets.maxIterations",
  "policy.budgets.maxTokens",
  "policy.budgets.maxMinutes",
  "policy.budgets.maxRevisions",
  "policy.budgets.callTimeoutMs",
  "policy.budgets.checkTimeoutMs",
  "policy.allowedPaths",
  "policy.disallowedPaths",
  "policy.protectedPaths",
  "policy.checks",
  "policy.discoverChecks",
  "policy.sabotage",
  "policy.integrate",
  "policy.fanoutParallel",
  "policy.hostMayApprove",
  "policy.externalTransfers.mode",
  "roles.orchestrator",
  "roles.planner",
  "roles.implementer",
  "roles.qa",
  "roles.verifier",
  "roles.critic",
  "providers.codex-cli.program",
  "providers.claude-code.program",
  "store.url",
] as const;

/** Agents that completions offer; the teams know them, and any other provider:model is taken as well. */
export const agentNames = [
  "codex-cli:default",
  "claude-code:default",
  "claude-code:sonnet",
  "claude-code:opus",
  "gemini-cli:default",
  "opencode:default",
] as const;

/** The ready-made teams. */
export const teamNames = [
  "stub",
  "codex-default",
  "claude-builder",
  "claude-critic",
  "spark-plus-sonnet",
  "pro-orchestrator",
  "claude-second-judge",
  "pro-claude-high-assurance",
  "claude-default",
  "gemini-builder",
  "open-builder",
] as const;
