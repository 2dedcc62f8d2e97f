// The results of checks on the base commit before the first call: known early, so that a missing program or a red test
// suite is known before any agent is paid.
import type { CheckEvidence, CheckSpec } from "../../contract/index.ts";
import type { Pass, Run } from "../state/index.ts";
import { commandLine } from "./names.ts";

const early = (run: Run): readonly CheckEvidence[] =>
  (run.passes[0]?.checks ?? []).filter(({ variant, tree }) => variant === "base" && tree === run.created.baseTree);

/** Checks that were not tried on the base commit yet. One that was stopped counts as tried; that of a project inside the
 * project waits for work that touches it. */
export const withoutBaseline = (run: Run): readonly CheckSpec[] =>
  (run.checks ?? []).filter(
    ({ id, within }) => within === undefined && !early(run).some(({ checkId }) => checkId === id),
  );

/** The result of a check before the first call; undefined where it was not tried. */
export const earlyResult = (run: Run, checkId: string): CheckEvidence | undefined =>
  early(run).findLast((one) => one.checkId === checkId);

/**
 * Checks that cannot run on this machine, before the first answer of a person. A check that the user waived when the
 * run was started does not count.
 */
export function unreportedMissing(run: Run): readonly CheckSpec[] {
  if (run.approvals.some(({ by }) => by.kind === "person")) return [];
  const { waivedChecks } = run.created.policy;
  return (run.checks ?? []).filter((check) => {
    const known = earlyResult(run, check.id);
    // The search for programs may be wrong. A check that was tried has a result of its own.
    const lacks = known ? known.result === "not_started" : (check.lacks ?? []).length > 0;
    return lacks && check.within === undefined && !waivedChecks.includes(commandLine(check.argv));
  });
}

/** The checks that tell about a pass: its own, and those on the base from before it that it did not run again. */
export function checksAbout(run: Run, pass: Pass): Pass["checks"] {
  if (pass.number <= 1) return pass.number === 1 ? [...(run.passes[0]?.checks ?? []), ...pass.checks] : pass.checks;
  const again = new Set(pass.checks.flatMap(({ variant, checkId }) => (variant === "base" ? [checkId] : [])));
  const before = run.passes
    .slice(0, pass.number)
    .flatMap(({ checks }) => checks)
    .filter(({ variant, checkId }) => variant === "base" && !again.has(checkId));
  const newest = new Map(before.map((check) => [check.checkId, check]));
  return [...newest.values(), ...pass.checks];
}
