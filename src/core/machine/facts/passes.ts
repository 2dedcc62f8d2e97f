// Passes of a run: the current one, the result, the work in the checkout, and the files that a person declared as product.
import { deliveryOf } from "./delivery.ts";
import { type Pass, type Plan, type Run, activePhase, passOf } from "../state/index.ts";
import { lastEditSeq, workPasses } from "./order.ts";
import type { PlacedWork, Gate } from "../../contract/index.ts";

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

/** The seq after which a check of the work counts: the last edit, or a person's request to check again. */
export function freshSince(run: Run): number {
  const asked = run.passes.map(({ revision }) => (revision?.reasonCode === "user_revise" ? revision.seq : 0));
  return Math.max(lastEditSeq(run), ...asked);
}

export function resultOf(run: Run): { readonly pass: Pass; readonly tree: string } | undefined {
  const integrated = lastIntegratedPass(run);
  if (integrated?.integration) return { pass: integrated, tree: integrated.integration.tree };
  const pass = latestPass(run);
  const tree = pass.captured?.patch?.tree;
  return deliveryOf(run).branch !== undefined && tree !== undefined ? { pass, tree } : undefined;
}

/** Direct edits are in the checkout as soon as they are captured. */
export function placedWork(run: Run): PlacedWork | undefined {
  const placed = run.passes.flatMap(({ captured, integration, looks }) => {
    const patch = captured?.patch;
    // Work that is verified again together with edits of the user has a look at the checkout after it was applied.
    const there = integration !== null || looks.some(({ moment }) => moment === "last");
    return patch && (there || patch.workspace === "direct") ? [patch] : [];
  });
  const [first, last] = [placed[0], placed.at(-1)];
  if (!first || !last) return undefined;
  const paths = [...new Set(placed.flatMap(({ changedPaths }) => changedPaths))];
  return { fromTree: first.fromTree, tree: last.tree, paths };
}

/** The same, unless it was taken out again. */
export const workInCheckout = (run: Run): PlacedWork | undefined =>
  run.undo?.state === "done" ? undefined : placedWork(run);

/** The globs that a person declared, with the command that began the run or with the answer to its start. */
export const declaredProduct = (run: Run): string[] => [
  ...new Set([
    ...(run.created.policy.productPaths ?? []),
    ...run.approvals.flatMap(({ by, productPaths }) => (by.kind === "person" ? (productPaths ?? []) : [])),
  ]),
];

/** The changed files among them that are product indeed, by everything that is in the tree under review. */
export const productFiles = (run: Run): string[] => [
  ...new Set(workPasses(run).flatMap(({ judgement }) => judgement?.declaredPaths ?? [])),
];

export const startsWork = ({ kind, parts }: Gate): boolean =>
  kind === "implementation_start" || parts?.some((part) => part.kind === "implementation_start") === true;

/** Messages, or a wider scope, that no agent of the loop has been given yet. */
export const undelivered = ({ messages, calls }: Run) =>
  messages.filter(({ seq, widenedAt }) => {
    const since = widenedAt ?? seq;
    return !calls.some(({ record, directive }) => record.lane === "main" && (directive?.seq ?? 0) > since);
  });

/** Why the worker of the last pass changed nothing; null where it changed something or gives no reason. */
export function unchangedReason(run: Run): string | null {
  const pass = latestPass(run);
  const call = run.calls.find(({ record }) => record.callId === pass.callId)?.result?.outcome;
  const brief = call?.result === "accepted" ? call.brief : null;
  if (brief?.contract !== "implementation_result" || brief.status !== "no_change") return null;
  return pass.captured?.patch ? null : (brief.reason ?? null);
}
