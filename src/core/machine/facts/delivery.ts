// Where the work of a run goes: into the checkout, or on a new branch that the person named with the start of the run or with
// the approval of its result.
import { plainLine, type Gate } from "../../contract/index.ts";
import { appliesFirst } from "../policy/index.ts";
import type { Run } from "../state/index.ts";
import { isPassing } from "./gates.ts";

export interface Delivery {
  /** Undefined: the work goes into the checkout. */
  readonly branch: string | undefined;
  readonly pullRequest: boolean;
}

export function deliveryOf({ created, approvals }: Pick<Run, "created" | "approvals">): Delivery {
  const chosen = approvals.findLast(({ by, toBranch }) => by.kind === "person" && toBranch !== undefined);
  const asked = approvals.findLast(({ by, pullRequest }) => by.kind === "person" && pullRequest === true);
  return {
    branch: created.toBranch ?? chosen?.toBranch,
    pullRequest: asked !== undefined || created.pullRequest !== undefined,
  };
}

/** Whether the branch may be pushed: a person approved the result, or the user lets autopilot push. */
export const mayPush = ({ created, approvals }: Pick<Run, "created" | "approvals">): boolean =>
  created.policy.autopilotMayPush === true ||
  approvals.some(
    ({ by, auto, answer, gate }) =>
      by.kind === "person" && auto === null && isPassing(answer) && gate.continuation === "apply_patch",
  );

/** The branch in a sentence: a new one, or one that exists and gets another commit. */
export const branchWords = ({ created }: Pick<Run, "created">, branch: string): string =>
  `the ${created.continuesBranch === true ? "" : "new "}branch ${plainLine(branch, 200)}`;

/** The gate about edits of the user that the work would touch: a new branch leaves them alone. */
const leavesEdits = ({ kind }: Pick<Gate, "kind">): boolean => kind === "dirty_checkout_before_patch";

/** Whether the approval of this gate can name a branch: nothing of the work is in the checkout or committed to it. */
export const mayDeliver = ({ created, passes }: Run, gate: Pick<Gate, "continuation" | "kind">): boolean =>
  (gate.continuation === "apply_patch" || leavesEdits(gate)) &&
  created.toBranch === undefined &&
  created.commit !== true &&
  !appliesFirst(created.policy) &&
  passes.every(({ integration, looks }) => integration === null && looks.every(({ moment }) => moment !== "last"));

/** Whether it can name a pull request too: a push is approved with the result, never before it. */
export const mayRequest = (run: Run, gate: Pick<Gate, "continuation" | "kind">): boolean =>
  mayDeliver(run, gate) && !leavesEdits(gate);
