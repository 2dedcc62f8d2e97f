// Finds the checks that judge this run: those of the policy, and those that the tree itself defines.
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
  followChecks,
  missingNeeds,
  treeFiles,
} from "../../../workspace/checks/index.ts";
import { type EffectDeps, repositoryOf } from "../deps.ts";

export async function discoverChecks(
  deps: EffectDeps,
  { tree, policy, variant }: EffectOf<"discover_checks">,
): Promise<EffectOutcome> {
  const repository = repositoryOf(deps);
  const plan = await planChecks(repository, tree, policy);
  const missing =
    variant === "base"
      ? await missingNeeds({ repository, runner: deps.commands }, await treeFiles(repository, tree), plan.checks)
      : [];
  const findings = plan.checks.flatMap(({ argv }, at) =>
    (missing[at] ?? []).map(({ what, remedy }) => `\`${argv.join(" ")}\`: ${what}. Get it: ${remedy}`),
  );
  const checks = plan.checks.map((check, at): CheckSpec => {
    const lacks = (missing[at] ?? []).map(({ what }) => what);
    return lacks.length > 0 ? { ...check, lacks } : check;
  });
  return { kind: "discover_checks", plan: { checks, findings: [...plan.findings, ...findings] } };
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
  return { checks: merge(followed, found.checks, policy), findings: found.findings };
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
