// The order of a run: verified before the work touches the checkout, or applied first as in the seed (B-1).
import type { Run } from "../state/index.ts";

/** Direct edits are in the checkout already, so there is nothing to hold back. */
export const isLate = (run: Pick<Run, "created">): boolean =>
  run.created.policy.integrate === "late" && !run.created.policy.directEdit;
