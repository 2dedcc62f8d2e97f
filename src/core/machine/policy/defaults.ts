// The policy of a user who configured nothing: ask for everything that matters, bound everything that costs.
import {
  type Budgets,
  type DoubtPolicy,
  type Policy,
  asksByDefault,
  dollars,
  doubtKinds,
} from "../../contract/index.ts";

export const defaultDoubts: DoubtPolicy = { ask: doubtKinds.filter(asksByDefault), accept: [] };

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
  [
    `${maxIterations} model ${maxIterations === 1 ? "call" : "calls"}`,
    ...(maxTokens === null ? [] : [`${maxTokens} tokens`]),
    ...(maxMinutes === null ? [] : [`${maxMinutes} minutes`]),
    ...(maxUsd ? [`${dollars(maxUsd)}, estimated from tokens where a provider tells no cost`] : []),
    ...noLimit([...(maxTokens === null ? ["token"] : []), ...(maxMinutes === null ? ["time"] : [])]),
  ].join(", ");

const noLimit = (open: readonly string[]): string[] => (open.length === 0 ? [] : [`no ${open.join(" or ")} limit`]);
