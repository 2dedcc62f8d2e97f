// The layers of a policy: the user's configuration and options over the defaults. A repository, or a program that drives
// runs, may only tighten the result.
import {
  type Budgets,
  type DoubtPolicy,
  type ConfiguredCheck,
  type Policy,
  approvalModes,
  repoCheckPrefix,
  type TransferPolicy,
} from "../../contract/index.ts";
import { defaultDoubts, defaultPolicy } from "../../machine/policy/index.ts";

/** The policy that a repository or a program requests. Most looser values cannot be written; the others are cut to the user's. */
export interface TighterPolicy {
  readonly approvals?: Policy["approvals"] | undefined;
  readonly budgets?: Loose<Budgets> | undefined;
  readonly maxAutoApproveBytes?: number | undefined;
  readonly allowedPaths?: readonly string[] | undefined;
  readonly disallowedPaths?: readonly string[] | undefined;
  readonly protectedPaths?: readonly string[] | undefined;
  readonly checks?: readonly ConfiguredCheck[] | undefined;
  readonly editRequiresApproval?: true | undefined;
  readonly dependencyInstallRequiresApproval?: true | undefined;
  readonly networkRequiresApproval?: true | undefined;
  readonly fanoutMaxItems?: number | undefined;
  readonly fanoutParallel?: number | undefined;
}

const lower = (mine: number, theirs: number | undefined): number =>
  theirs === undefined ? mine : Math.min(mine, theirs);

const lowerLimit = (mine: number | null, theirs: number | null | undefined): number | null =>
  theirs === undefined || theirs === null ? mine : mine === null ? theirs : Math.min(mine, theirs);

const union = (mine: readonly string[], theirs: readonly string[] | undefined): string[] => [
  ...new Set([...mine, ...(theirs ?? [])]),
];

function tightenBudgets(mine: Budgets, theirs: Loose<Budgets> = {}): Budgets {
  return {
    maxIterations: lower(mine.maxIterations, theirs.maxIterations),
    maxTokens: lowerLimit(mine.maxTokens, theirs.maxTokens),
    maxMinutes: lowerLimit(mine.maxMinutes, theirs.maxMinutes),
    maxUsd: lowerLimit(mine.maxUsd ?? null, theirs.maxUsd),
    maxSchemaFailures: lower(mine.maxSchemaFailures, theirs.maxSchemaFailures),
    maxRevisions: lower(mine.maxRevisions, theirs.maxRevisions),
    callTimeoutMs: lower(mine.callTimeoutMs, theirs.callTimeoutMs),
    checkTimeoutMs: lower(mine.checkTimeoutMs, theirs.checkTimeoutMs),
  };
}

/** The checks of both. A repository's are named as such, so that none can take the place of one of the user's, or of one
 * that is found in the project; and none may run longer than the user lets a check run. */
function addChecks(
  mine: Policy["checks"],
  theirs: readonly ConfiguredCheck[] | undefined,
  checkTimeoutMs: number,
): Policy["checks"] {
  const known = new Set(mine.map(({ id }) => id));
  const named = (theirs ?? []).map((check) => ({
    ...check,
    id: `${repoCheckPrefix}${check.id}`.slice(0, 100),
    ...(check.timeoutMs === undefined ? {} : { timeoutMs: Math.min(check.timeoutMs, checkTimeoutMs) }),
  }));
  return [...mine, ...named.filter(({ id }) => !known.has(id) && known.add(id))];
}

/**
 * A list of allowed paths narrows; two of them narrow together, but globs cannot be intersected as text. So a
 * repository may set one only where the user set none.
 */
function narrowPaths(mine: readonly string[], theirs: readonly string[] | undefined): string[] {
  return mine.length > 0 || theirs === undefined ? [...mine] : [...theirs];
}

export function tightenPolicy(user: Policy, requested: TighterPolicy = {}): Policy {
  const stricter = Math.min(
    approvalModes.indexOf(user.approvals),
    requested.approvals === undefined ? Infinity : approvalModes.indexOf(requested.approvals),
  );
  const budgets = tightenBudgets(user.budgets, requested.budgets);
  return {
    ...user,
    approvals: approvalModes[stricter] ?? "manual",
    budgets,
    externalTransfers: {
      ...user.externalTransfers,
      maxAutoApproveBytes: lower(user.externalTransfers.maxAutoApproveBytes, requested.maxAutoApproveBytes),
    },
    allowedPaths: narrowPaths(user.allowedPaths, requested.allowedPaths),
    disallowedPaths: union(user.disallowedPaths, requested.disallowedPaths),
    protectedPaths: union(user.protectedPaths, requested.protectedPaths),
    checks: addChecks(user.checks, requested.checks, budgets.checkTimeoutMs),
    editRequiresApproval: user.editRequiresApproval || requested.editRequiresApproval === true,
    dependencyInstallRequiresApproval:
      user.dependencyInstallRequiresApproval || requested.dependencyInstallRequiresApproval === true,
    networkRequiresApproval: user.networkRequiresApproval || requested.networkRequiresApproval === true,
    fanoutMaxItems: lower(user.fanoutMaxItems, requested.fanoutMaxItems),
    fanoutParallel: lower(user.fanoutParallel, requested.fanoutParallel),
  };
}

/** The requests of a repository that do not hold because the user is stricter: one line each, for people. */
export function overruled(user: Policy, requested: TighterPolicy = {}): string[] {
  const got = tightenPolicy(user, requested);
  const single = [
    ["approvals", requested.approvals, got.approvals],
    ["maxAutoApproveBytes", requested.maxAutoApproveBytes, got.externalTransfers.maxAutoApproveBytes],
    ["fanoutMaxItems", requested.fanoutMaxItems, got.fanoutMaxItems],
    ["fanoutParallel", requested.fanoutParallel, got.fanoutParallel],
    ["allowedPaths", requested.allowedPaths?.join(", "), got.allowedPaths.join(", ")],
    ...Object.entries(requested.budgets ?? {}).map(
      ([name, asked]) => [`budgets.${name}`, asked, got.budgets[name as keyof Budgets]] as const,
    ),
  ] as const;
  return single.flatMap(([name, asked, given]) =>
    asked === undefined || asked === null || asked === given ? [] : [`${name} ${asked}: ${given} holds`],
  );
}

export type Loose<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** One layer: the user's configuration, or the flags of one command. */
export interface UserPolicy extends Omit<Loose<Policy>, "budgets" | "externalTransfers" | "doubts"> {
  readonly doubts?: Loose<DoubtPolicy> | undefined;
  readonly budgets?: Loose<Budgets> | undefined;
  readonly externalTransfers?: Loose<TransferPolicy> | undefined;
}

function defined<T extends object>(value: T | undefined): Partial<T> {
  return Object.fromEntries(Object.entries(value ?? {}).filter(([, given]) => given !== undefined)) as Partial<T>;
}

/** Later layers win: defaults, then the user's configuration, then the flags of this command. */
export function userPolicy(...layers: readonly (UserPolicy | undefined)[]): Policy {
  return layers.reduce<Policy>((policy, layer) => {
    const { budgets, externalTransfers, doubts, ...rest } = layer ?? {};
    return {
      ...policy,
      ...(defined(rest) as Partial<Policy>),
      budgets: { ...policy.budgets, ...(defined(budgets) as Partial<Budgets>) },
      doubts: { ...defaultDoubts, ...policy.doubts, ...(defined(doubts) as Partial<DoubtPolicy>) },
      externalTransfers: {
        ...policy.externalTransfers,
        ...(defined(externalTransfers) as Partial<TransferPolicy>),
      },
    };
  }, defaultPolicy);
}
