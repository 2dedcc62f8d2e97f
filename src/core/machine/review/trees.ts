// The tree under review, the checks that it needs, and the checks that ran already: once per check, tree and
// variant.
import type { CheckEvidence, CheckSpec, CheckVariant } from "../../contract/index.ts";
import { freshSince, workPasses, workTree } from "../facts/index.ts";
import type { At, Pass, Run } from "../state/index.ts";

export function baseTree(run: Run): string {
  if (run.base.tree === null) throw new Error(`Run ${run.runId} verifies outside a git repository.`);
  return run.base.tree;
}

export const reviewTree = (run: Run): string => workTree(run) ?? baseTree(run);

/** Paths that define checks and were changed by anything that is in the tree under review. */
export function definingPaths(run: Run): string[] {
  const all = workPasses(run).flatMap((pass) => pass.judgement?.definingPaths ?? []);
  return [...new Set(all)].sort();
}

/** Files that the checks of the base commit run or load, beyond those that every project layout names. */
export const checkFiles = (run: Run): string[] => [...new Set((run.checks ?? []).flatMap(({ files }) => files ?? []))];

/**
 * The result of a check on a tree. A result on the base counts for ever. A result on the work counts only if the check
 * ran after the last edit. So a check runs again on a tree that comes back, on one that a person sends back and
 * the worker leaves as it is, and on one whose check was stopped because the run's time was used up. Nothing counts
 * from before a person had the checks run again.
 */
export function evidenceFor(
  run: Run,
  checkId: string,
  variant: CheckVariant,
  tree: string,
): (CheckEvidence & At) | undefined {
  const since = Math.max(run.recheckedAt, variant === "base" ? 0 : freshSince(run));
  return run.passes
    .flatMap((pass) => pass.checks)
    .findLast(
      (check) =>
        check.checkId === checkId &&
        check.variant === variant &&
        check.tree === tree &&
        check.seq > since &&
        !check.cut,
    );
}

export interface DueCheck {
  readonly check: CheckSpec;
  readonly variant: CheckVariant;
  readonly tree: string;
}

/** A check of a project inside the project is needed where the work touches that project. */
function isTouched(run: Run, { within }: CheckSpec): boolean {
  if (within === undefined) return true;
  return workPasses(run).some(({ judgement }) => judgement?.paths.some((path) => path.startsWith(`${within}/`)));
}

/** Checks of projects inside the project that this work does not touch. */
export const untouchedChecks = (run: Run): CheckSpec[] => (run.checks ?? []).filter((check) => !isTouched(run, check));

/** Every check, with its variant and tree, that must run to judge this pass, in order. */
export function neededChecks(run: Run, pass: Pass): DueCheck[] {
  const base = baseTree(run);
  const tree = reviewTree(run);
  const checks = (run.checks ?? []).filter((check) => isTouched(run, check));
  const before = checks.map((check) => ({ check, variant: "base" as const, tree: base }));
  if (tree === base) return before;
  if (definingPaths(run).length === 0)
    return [...before, ...checks.map((check) => ({ check, variant: "patched" as const, tree }))];
  const guarded = checks.map((check) => ({ check, variant: "guarded" as const, tree }));
  const own = (pass.workChecks ?? [])
    .filter((check) => isTouched(run, check))
    .map((check) => ({ check, variant: "patched" as const, tree }));
  return [...before, ...guarded, ...own];
}

export function needsOwnChecks(run: Run, pass: Pass): boolean {
  return pass.workChecks === null && reviewTree(run) !== baseTree(run) && definingPaths(run).length > 0;
}

export function dueCheck(run: Run, pass: Pass): DueCheck | undefined {
  return neededChecks(run, pass).find(({ check, variant, tree }) => !evidenceFor(run, check.id, variant, tree));
}
