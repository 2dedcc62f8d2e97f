// Passes of a run: the current one, the last that is in the checkout, and since when evidence about the work is fresh.
import { type Pass, type Plan, type Run, activePhase, passOf } from "../state/index.ts";
import { isLate } from "./order.ts";

export function passAt(run: Run, number: number): Pass {
  const found = run.passes[number];
  if (!found) throw new Error(`Run ${run.runId} has no pass ${number}.`);
  return found;
}

export function currentPass(run: Run): Pass {
  const active = activePhase(run.phase);
  return active && "pass" in active ? passAt(run, active.pass) : latestPass(run);
}

export function latestPass(run: Run): Pass {
  return passAt(run, run.passes.length - 1);
}

export const currentPassNumber = (run: Run): number => passOf(run.phase);

export function currentPlan(run: Run): Plan | undefined {
  return run.plans.findLast((plan) => plan.superseded === null);
}

export function lastIntegratedPass(run: Run): Pass | undefined {
  return run.passes.findLast((pass) => pass.integration !== null);
}

/** The last pass whose work may go into the checkout: captured, and not refused by the judge. */
function candidatePass(run: Run): Pass | undefined {
  const last = run.passes.findLast(({ captured, judgement }) =>
    captured?.patch ? judgement !== null && isFit(judgement) : captured !== null,
  );
  return last?.captured?.patch ? last : undefined;
}

export const isFit = ({ verdict, outsidePaths }: NonNullable<Pass["judgement"]>): boolean =>
  verdict !== "reject" && outsidePaths.length === 0;

/** The passes whose work together is in the tree under review. A late candidate holds the work of all passes by itself. */
export function workPasses(run: Run): readonly Pass[] {
  if (!isLate(run)) return run.passes.filter((pass) => pass.integration !== null);
  const candidate = candidatePass(run);
  return candidate ? [candidate] : [];
}

/** The tree with the work that is under review, or the base. */
export function workTree(run: Run): string | null {
  const last = workPasses(run).at(-1);
  return (isLate(run) ? last?.captured?.patch?.tree : last?.integration?.tree) ?? run.base.tree;
}

/** The tree that a new pass is measured against: the one in the checkout. */
export function fromTree(run: Run): string | null {
  return lastIntegratedPass(run)?.integration?.tree ?? run.base.tree;
}

/** The seq after which evidence about the work is fresh. */
export function lastEditSeq(run: Run): number {
  return Math.max(
    0,
    ...run.passes.flatMap((pass) => [
      isLate(run) ? 0 : (pass.integration?.seq ?? 0),
      pass.captured?.patch ? pass.captured.seq : 0,
    ]),
  );
}

/** The seq after which a check of the work counts: the last edit, or a person's word to look again. */
export function freshSince(run: Run): number {
  const asked = run.passes.map(({ revision }) => (revision?.reasonCode === "user_revise" ? revision.seq : 0));
  return Math.max(lastEditSeq(run), ...asked);
}
