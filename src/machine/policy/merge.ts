// The effective policy: the user's over the defaults; a repository's configuration may only tighten it.
import type { Budgets, ConfiguredCheck, Policy, TransferPolicy } from "../../contract/index.ts";
import { approvalModes, repoCheckPrefix } from "../../contract/index.ts";
import { defaultPolicy } from "./defaults.ts";

type Loose<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** What a user, or the flags of one command, may say. */
export interface UserPolicy extends Omit<Loose<Policy>, "budgets" | "externalTransfers"> {
  readonly budgets?: Loose<Budgets> | undefined;
  readonly externalTransfers?: Loose<TransferPolicy> | undefined;
}

/** What a repository may say. Whatever would loosen is not even expressible, or is cut to what the user allows. */
export interface RepoPolicy {
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

function defined<T extends object>(value: T | undefined): Partial<T> {
  return Object.fromEntries(
    Object.entries(value ?? {}).filter(([, given]) => given !== undefined),
  ) as Partial<T>;
}

/** Later layers win: defaults, then the user's configuration, then the flags of this command. */
export function userPolicy(...layers: readonly (UserPolicy | undefined)[]): Policy {
  return layers.reduce<Policy>((policy, layer) => {
    const { budgets, externalTransfers, ...rest } = layer ?? {};
    return {
      ...policy,
      ...(defined(rest) as Partial<Policy>),
      budgets: { ...policy.budgets, ...(defined(budgets) as Partial<Budgets>) },
      externalTransfers: {
        ...policy.externalTransfers,
        ...(defined(externalTransfers) as Partial<TransferPolicy>),
      },
    };
  }, defaultPolicy);
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
    maxSchemaFailures: lower(mine.maxSchemaFailures, theirs.maxSchemaFailures),
    maxRevisions: lower(mine.maxRevisions, theirs.maxRevisions),
    callTimeoutMs: lower(mine.callTimeoutMs, theirs.callTimeoutMs),
    checkTimeoutMs: lower(mine.checkTimeoutMs, theirs.checkTimeoutMs),
  };
}

/** The checks of both. A repository's are named as such, so that none can take the place of one of the user's, or of one
 * that is found in the project. */
function addChecks(mine: Policy["checks"], theirs: readonly ConfiguredCheck[] = []): Policy["checks"] {
  const known = new Set(mine.map(({ id }) => id));
  const named = theirs.map((check) => ({ ...check, id: `${repoCheckPrefix}${check.id}`.slice(0, 100) }));
  return [...mine, ...named.filter(({ id }) => !known.has(id) && known.add(id))];
}

/**
 * A list of allowed paths narrows; two of them narrow together, but globs cannot be intersected as text. So a
 * repository may set one only where the user set none.
 */
function narrowPaths(mine: readonly string[], theirs: readonly string[] | undefined): string[] {
  return mine.length > 0 || theirs === undefined ? [...mine] : [...theirs];
}

export function tightenPolicy(user: Policy, repo: RepoPolicy = {}): Policy {
  const stricter = Math.min(
    approvalModes.indexOf(user.approvals),
    repo.approvals === undefined ? Infinity : approvalModes.indexOf(repo.approvals),
  );
  return {
    ...user,
    approvals: approvalModes[stricter] ?? "manual",
    budgets: tightenBudgets(user.budgets, repo.budgets),
    externalTransfers: {
      ...user.externalTransfers,
      maxAutoApproveBytes: lower(user.externalTransfers.maxAutoApproveBytes, repo.maxAutoApproveBytes),
    },
    allowedPaths: narrowPaths(user.allowedPaths, repo.allowedPaths),
    disallowedPaths: union(user.disallowedPaths, repo.disallowedPaths),
    protectedPaths: union(user.protectedPaths, repo.protectedPaths),
    checks: addChecks(user.checks, repo.checks),
    editRequiresApproval: user.editRequiresApproval || repo.editRequiresApproval === true,
    dependencyInstallRequiresApproval:
      user.dependencyInstallRequiresApproval || repo.dependencyInstallRequiresApproval === true,
    networkRequiresApproval: user.networkRequiresApproval || repo.networkRequiresApproval === true,
    fanoutMaxItems: lower(user.fanoutMaxItems, repo.fanoutMaxItems),
    fanoutParallel: lower(user.fanoutParallel, repo.fanoutParallel),
  };
}

/** What a repository asked for and did not get, because the user is stricter: one line each, for people. */
export function overruled(user: Policy, repo: RepoPolicy = {}): string[] {
  const got = tightenPolicy(user, repo);
  const single = [
    ["approvals", repo.approvals, got.approvals],
    ["maxAutoApproveBytes", repo.maxAutoApproveBytes, got.externalTransfers.maxAutoApproveBytes],
    ["fanoutMaxItems", repo.fanoutMaxItems, got.fanoutMaxItems],
    ["fanoutParallel", repo.fanoutParallel, got.fanoutParallel],
    ["allowedPaths", repo.allowedPaths?.join(", "), got.allowedPaths.join(", ")],
    ...Object.entries(repo.budgets ?? {}).map(
      ([name, asked]) => [`budgets.${name}`, asked, got.budgets[name as keyof Budgets]] as const,
    ),
  ] as const;
  return single.flatMap(([name, asked, given]) =>
    asked === undefined || asked === null || asked === given ? [] : [`${name} ${asked}: ${given} holds`],
  );
}
