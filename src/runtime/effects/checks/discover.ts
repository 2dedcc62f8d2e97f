// Finds the checks that judge this run: those of the policy, and those that the tree itself defines (R-33).
import {
  type CheckPlan,
  type CheckSpec,
  type EffectOf,
  type EffectOutcome,
  type Policy,
  repoCheckPrefix,
} from "../../../core/contract/index.ts";
import type { Repository } from "../../../platform/git/index.ts";
import {
  discoverChecks as discoverInTree,
  emptySubmodules,
  followChecks,
  missingLargeFiles,
  missingNeeds,
  treeFiles,
} from "../../../workspace/checks/index.ts";
import { includedFiles } from "../../../workspace/checkout/worktree/index.ts";
import { type EffectDeps, repositoryOf } from "../deps.ts";

export async function discoverChecks(
  deps: EffectDeps,
  { tree, policy, variant }: EffectOf<"discover_checks">,
): Promise<EffectOutcome> {
  const repository = repositoryOf(deps);
  const plan = await planChecks(repository, tree, policy);
  const place = { repository, runner: deps.commands };
  const missing = variant === "base" ? await missingNeeds(place, await treeFiles(repository, tree), plan.checks) : [];
  const findings = plan.checks.flatMap(({ argv }, at) =>
    (missing[at] ?? []).map(({ what, remedy }) => `\`${argv.join(" ")}\`: ${what}. Get it: ${remedy}`),
  );
  const checks = withLacks(plan.checks, missing);
  const absent = variant === "base" ? await absentFiles(repository, tree) : [];
  const included = variant === "base" ? await includedLines(repository) : [];
  const all = [...plan.findings, ...findings, ...absent, ...included];
  return { kind: "discover_checks", plan: { checks, findings: all } };
}

/** Content that a commit only points at. */
const absentFiles = async (repository: Repository, tree: string): Promise<string[]> => [
  ...(await missingLargeFiles(repository, tree)),
  ...(await emptySubmodules(repository, tree)),
];

/** What a check lacks is a part of it: where that is installed later, the check runs again. */
export const withLacks = (
  checks: readonly CheckSpec[],
  missing: Awaited<ReturnType<typeof missingNeeds>>,
): CheckSpec[] =>
  checks.map((check, at) => {
    const lacks = (missing[at] ?? []).map(({ what }) => what);
    return lacks.length > 0 ? { ...check, lacks } : check;
  });

/** A person sees at the start which ignored files a worker gets. */
async function includedLines(repository: Repository): Promise<string[]> {
  const paths = await includedFiles(repository);
  if (paths.length === 0) return [];
  const shown = paths.slice(0, 10).join(", ");
  const more = paths.length > 10 ? ` and ${paths.length - 10} more` : "";
  return [
    `.worktreeinclude copies files that git ignores into the worker's folder: ${shown}${more}. Their values count as secrets.`,
  ];
}

/** The checks of the policy, and those that the tree itself defines. */
export async function planChecks(repository: Repository, tree: string, policy: Policy): Promise<CheckPlan> {
  const configured = policy.checks.map((check): CheckSpec => ({
    id: check.id,
    kind: check.kind,
    argv: check.argv,
    cwd: check.cwd ?? "",
    source: "config",
    timeoutMs: check.timeoutMs ?? policy.budgets.checkTimeoutMs,
  }));
  const found: CheckPlan = policy.discoverChecks
    ? await discoverInTree(await treeFiles(repository, tree), configured)
    : { checks: [], findings: [] };
  const followed = configured.length > 0 ? await followChecks(await treeFiles(repository, tree), configured) : [];
  const { near, left } = partByFolder(found.checks, policy.checksBelow);
  const leftOut = left.map(({ argv, cwd }) => `${argv.join(" ")}${cwd === "" ? "" : ` in ${cwd}`}`);
  const finding = `checks outside of ${policy.checksBelow} do not run, as you said with --only-here: ${leftOut.join(", ")}`;
  return {
    checks: merge(followed, near, policy),
    findings: [...found.findings, ...(left.length > 0 ? [finding] : [])],
  };
}

/** The checks of a folder and those beside it. */
function partByFolder(checks: readonly CheckSpec[], below: string | undefined) {
  const isNear = ({ cwd }: CheckSpec) => below === undefined || cwd === below || cwd.startsWith(`${below}/`);
  return { near: checks.filter(isNear), left: checks.filter((one) => !isNear(one)) };
}

/** A check of the user replaces a found one with the same id or the same command; one of the repository replaces none. */
function merge(configured: readonly CheckSpec[], found: readonly CheckSpec[], policy: Policy): CheckSpec[] {
  const same = (a: CheckSpec, b: CheckSpec) =>
    a.id === b.id || (a.cwd === b.cwd && a.argv.join("\0") === b.argv.join("\0"));
  const own = configured.filter(({ id }) => !id.startsWith(repoCheckPrefix));
  const rest = found
    .filter((check) => !own.some((other) => same(check, other)))
    .map((check) => ({ ...check, timeoutMs: Math.min(check.timeoutMs, policy.budgets.checkTimeoutMs) }));
  return [...configured, ...rest];
}
