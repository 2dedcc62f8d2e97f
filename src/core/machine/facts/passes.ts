// Passes of a run: the current one, the last that is in the checkout, and since when evidence about the work is fresh.
import { type Pass, type Plan, type Run, activePhase, passOf } from "../state/index.ts";
import { lastEditSeq } from "./order.ts";

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

/** The tree that a new pass is measured against: the one in the checkout. */
export function fromTree(run: Run): string | null {
  return lastIntegratedPass(run)?.integration?.tree ?? run.base.tree;
}

/** The seq after which a check of the work counts: the last edit, or a person's word to look again. */
export function freshSince(run: Run): number {
  const asked = run.passes.map(({ revision }) => (revision?.reasonCode === "user_revise" ? revision.seq : 0));
  return Math.max(lastEditSeq(run), ...asked);
}
