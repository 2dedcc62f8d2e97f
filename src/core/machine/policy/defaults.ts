// The policy of a user who configured nothing: ask for everything that matters, bound everything that costs.
import { type Policy, dollars, type Budgets, type DoubtPolicy } from "../../contract/index.ts";

/** Doubts about new or changed behaviour are a question. The others are named in the report and in the end of the run. */
export const defaultDoubts: DoubtPolicy = {
  ask: [
    "unreached",
    "known_values",
    "unnoticed_failure",
    "unsteady",
    "surroundings",
    "invisible",
    "lookalike",
    "binary",
    "unread",
    "scope",
    "replay",
    "neighbours",
    "blind_tests",
    "other_file",
  ],
  accept: [],
};

export const defaultPolicy: Policy = {
  approvals: "manual",
  externalTransfers: { mode: "manual", maxAutoApproveBytes: 200_000, rules: [] },
  budgets: {
    maxIterations: 12,
    maxTokens: null,
    maxMinutes: null,
    maxUsd: null,
    maxSchemaFailures: 3,
    maxRevisions: 5,
    // A worker that runs the project's own tests over and over needs its time.
    callTimeoutMs: 30 * 60_000,
    checkTimeoutMs: 10 * 60_000,
  },
  allowedPaths: [],
  disallowedPaths: [],
  protectedPaths: [],
  checks: [],
  discoverChecks: true,
  doubts: defaultDoubts,
  waivedChecks: [],
  editRequiresApproval: true,
  dependencyInstallRequiresApproval: true,
  networkRequiresApproval: true,
  directEdit: false,
  hostMayApprove: false,
  fanoutMaxItems: 8,
  fanoutParallel: 4,
  githubConnectorConfirmed: false,
  integrate: "late",
};

/** Work is applied before it is verified: the seed's order, and that of direct edits (B-1, R-30). */
export const appliesFirst = ({ integrate, directEdit }: Pick<Policy, "integrate" | "directEdit">): boolean =>
  integrate === "early" || directEdit;

export const describeBudget = ({ maxIterations, maxTokens, maxMinutes, maxUsd }: Budgets): string =>
  `${maxIterations} answers, ${maxTokens ?? "any number of"} tokens, ${maxMinutes ?? "any number of"} minutes${maxUsd ? `, ${dollars(maxUsd)} as far as providers tell their cost` : ""}`;
