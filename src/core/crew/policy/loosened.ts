// The order of every field of a policy: whether one policy is looser than another, and in which fields.
import { approvalModes, type Budgets, type Policy, type TransferPolicy } from "../../contract/index.ts";

/** True when `got` allows something that `mine` does not. */
type Looser<T> = (mine: T, got: T) => boolean;
/** One rule a field: a new field of a policy does not compile without its own. */
type Rules<T> = { readonly [K in keyof T]-?: Looser<T[K]> };

const more: Looser<number> = (mine, got) => got > mine;
/** Null means unlimited. */
const moreOrNone: Looser<number | null> = (mine, got) => (got ?? Infinity) > (mine ?? Infinity);
const granted: Looser<boolean> = (mine, got) => got && !mine;
const dropped: Looser<boolean> = (mine, got) => mine && !got;
const lacks: Looser<readonly string[]> = (mine, got) => !mine.every((entry) => got.includes(entry));
const adds: Looser<readonly string[]> = (mine, got) => lacks(got, mine);
const differs = (mine: unknown, got: unknown): boolean => JSON.stringify(mine) !== JSON.stringify(got);

const transferRules: Rules<TransferPolicy> = {
  mode: (mine, got) => mine === "manual" && got !== "manual",
  maxAutoApproveBytes: more,
  rules: differs,
};

const budgetRules: Rules<Budgets> = {
  maxIterations: more,
  maxTokens: moreOrNone,
  maxMinutes: moreOrNone,
  maxUsd: (mine, got) => moreOrNone(mine ?? null, got ?? null),
  maxSchemaFailures: more,
  maxRevisions: more,
  callTimeoutMs: more,
  checkTimeoutMs: more,
};

const fieldsOf = <T extends object>(rules: Rules<T>, mine: T, got: T): string[] =>
  (Object.keys(rules) as (keyof T & string)[]).filter((name) => rules[name](mine[name], got[name]));

const anyOf =
  <T extends object>(rules: Rules<T>): Looser<T> =>
  (mine, got) =>
    fieldsOf(rules, mine, got).length > 0;

const policyRules: Rules<Policy> = {
  approvals: (mine, got) => approvalModes.indexOf(got) > approvalModes.indexOf(mine),
  externalTransfers: anyOf(transferRules),
  budgets: anyOf(budgetRules),
  // An empty list allows every path. Globs cannot be compared as text, so a list that is there must stay as it is.
  allowedPaths: (mine, got) => mine.length > 0 && differs(mine, got),
  disallowedPaths: lacks,
  protectedPaths: lacks,
  productPaths: (mine, got) => adds(mine ?? [], got ?? []),
  // Each check of the user stays as it is, and no other check carries its name.
  checks: (mine, got) =>
    differs(
      mine,
      got.filter(({ id }) => mine.some((check) => check.id === id)),
    ),
  discoverChecks: dropped,
  // Fewer checks judge the work.
  checksBelow: (mine, got) => got !== undefined && got !== mine,
  sabotage: (mine, got) => mine !== "off" && got === "off",
  blindTests: (mine, got) => mine === "on" && got !== "on",
  // A kind that no longer asks, or that is taken, is looser.
  doubts: (mine, got) => lacks(mine?.ask ?? [], got?.ask ?? []) || adds(mine?.accept ?? [], got?.accept ?? []),
  waivedChecks: adds,
  editRequiresApproval: dropped,
  dependencyInstallRequiresApproval: dropped,
  networkRequiresApproval: dropped,
  directEdit: granted,
  hostMayApprove: granted,
  autopilotMayPush: (mine, got) => got === true && mine !== true,
  fanoutMaxItems: more,
  fanoutParallel: more,
  githubConnectorConfirmed: granted,
  memory: (mine, got) => mine !== "packets" && got === "packets",
  // Applying before the checks is the looser order.
  integrate: (mine, got) => mine === "late" && got === "early",
};

/** The fields in which `got` is looser than `mine`; none when it is as strict or stricter. */
export const loosened = (mine: Policy, got: Policy): string[] => fieldsOf(policyRules, mine, got);
