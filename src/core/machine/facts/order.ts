// The order of a run (B-1). Verified first: work is applied after it was verified. Applied first (`integrate: "early"`, and
// direct edits, which are in the checkout at once): the seed's order. Everything that differs in the facts is here; the
// rules that differ are in rules/applied-first.ts.
import { appliesFirst } from "../policy/index.ts";
import type { Pass, Run } from "../state/index.ts";

const isAppliedFirst = ({ created }: Run): boolean => appliesFirst(created.policy);

export const isFit = ({ verdict, outsidePaths }: NonNullable<Pass["judgement"]>): boolean =>
  verdict !== "reject" && outsidePaths.length === 0;

/** The last pass whose work may go into the checkout: captured, and not refused by the judge. */
function candidatePass(run: Run): Pass | undefined {
  const last = run.passes.findLast(({ captured, judgement }) =>
    captured?.patch ? judgement !== null && isFit(judgement) : captured !== null,
  );
  return last?.captured?.patch ? last : undefined;
}

/** The passes whose work is in the tree under review. A candidate holds the work of all passes; a pass that was applied
 * first holds its own. */
export function workPasses(run: Run): readonly Pass[] {
  if (isAppliedFirst(run)) return run.passes.filter((pass) => pass.integration !== null);
  const candidate = candidatePass(run);
  return candidate ? [candidate] : [];
}

/** The tree with the work that is under review, or the base. */
export const workTree = (run: Run): string | null => workPasses(run).at(-1)?.captured?.patch?.tree ?? run.base.tree;

/** The seq after which evidence about the work is fresh. */
export function lastEditSeq(run: Run): number {
  const edits = run.passes.flatMap(({ captured, integration }) => [
    captured?.patch ? captured.seq : 0,
    isAppliedFirst(run) ? (integration?.seq ?? 0) : 0,
  ]);
  return Math.max(0, ...edits);
}
