// Finds the checks that judge this run: those of the policy, and those that the tree itself defines.
import {
  type CheckPlan,
  type CheckSpec,
  type EffectOf,
  type EffectOutcome,
  type Policy,
  repoCheckPrefix,
} from "../../../core/contract/index.ts";
import type { EffectPorts } from "./ports.ts";

export async function discoverChecks(
  ports: EffectPorts,
  effect: EffectOf<"discover_checks">,
): Promise<EffectOutcome> {
  const plan = await planChecks(ports.checks, effect.tree, effect.policy);
  const missing = effect.variant === "base" ? await ports.checks.missing(effect.tree, plan.checks) : [];
  const findings = missing.map(({ command, what, remedy }) => `\`${command}\`: ${what}. Get it: ${remedy}`);
  const checks = plan.checks.map((check): CheckSpec => {
    const lacks = missing.filter(({ id }) => id === check.id).map(({ what }) => what);
    return lacks.length > 0 ? { ...check, lacks } : check;
  });
  return { kind: "discover_checks", plan: { checks, findings: [...plan.findings, ...findings] } };
}

/** The checks of the policy, and those that the tree itself defines. */
export async function planChecks(
  port: Pick<EffectPorts["checks"], "discover" | "follow">,
  tree: string,
  policy: Policy,
): Promise<CheckPlan> {
  const configured = policy.checks.map((check): CheckSpec => ({
    id: check.id,
    kind: check.kind,
    argv: check.argv,
    cwd: check.cwd ?? "",
    source: "config",
    timeoutMs: check.timeoutMs ?? policy.budgets.checkTimeoutMs,
  }));
  const found: CheckPlan = policy.discoverChecks
    ? await port.discover(tree, configured)
    : { checks: [], findings: [] };
  const followed = configured.length > 0 ? await port.follow(tree, configured) : [];
  return { checks: merge(followed, found.checks, policy), findings: found.findings };
}

/** A check of the user's takes the place of a found one with its id or its very command; one of the repository's only
 * stands beside what is found. */
function merge(configured: readonly CheckSpec[], found: readonly CheckSpec[], policy: Policy): CheckSpec[] {
  const same = (a: CheckSpec, b: CheckSpec) =>
    a.id === b.id || (a.cwd === b.cwd && a.argv.join("\0") === b.argv.join("\0"));
  const own = configured.filter(({ id }) => !id.startsWith(repoCheckPrefix));
  const rest = found
    .filter((check) => !own.some((other) => same(check, other)))
    .map((check) => ({ ...check, timeoutMs: Math.min(check.timeoutMs, policy.budgets.checkTimeoutMs) }));
  return [...configured, ...rest];
}
