// Names that completions offer: config keys, agents and teams. Plain data: help and completions load no schema library.
import { agentProgramRows } from "./agent-programs.ts";

export const configKeys: readonly string[] = [
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
  "policy.blindTests",
  "policy.doubts.ask",
  "policy.doubts.accept",
  "policy.integrate",
  "policy.fanoutParallel",
  "policy.hostMayApprove",
  "policy.autopilotMayPush",
  "policy.externalTransfers.mode",
  "roles.orchestrator",
  "roles.planner",
  "roles.implementer",
  "roles.qa",
  "roles.verifier",
  "roles.critic",
  ...agentProgramRows.map(({ id }) => `providers.${id}.program`),
  "prices",
  "store.url",
  "notify.desktop",
  "notify.bell",
  "notify.webhook",
  "notify.push",
  "notify.command",
  "notify.page",
  "prune.automatic",
  "prune.scratchDays",
  "prune.scratchMegabytes",
  "prune.artifactDays",
  "prune.artifactMegabytes",
];

/** Agents that completions offer; any other provider:model is valid as well. */
export const agentNames: readonly string[] = agentProgramRows.flatMap(({ id, models }) =>
  models.map((model) => `${id}:${model}`),
);

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
