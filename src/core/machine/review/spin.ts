// Finds circles: repairs that do not converge, with the likely cause.
import type { RevisionPacket } from "../../contract/index.ts";
import type { Pass, Run } from "../state/index.ts";

export interface Circle {
  readonly cause: "actor_failure" | "reviewer_disagreement" | "unclear_goal";
  readonly why: string;
}

/** The number of equal findings before a circle is found. A broken check gets one more try than an opinion. */
const sameFindings = { validation_regression: 2, patch_rejected: 2, other: 1 } as const;

/** The passes since a person last said how to go on. */
function sinceUser(run: Run): Pass[] {
  const start = run.passes.findLastIndex((pass) => pass.revision?.reasonCode === "user_revise");
  return run.passes.slice(Math.max(0, start));
}

function sameTree(passes: readonly Pass[]): Pass | undefined {
  const last = passes.at(-1)?.captured?.patch?.tree;
  return last === undefined
    ? undefined
    : passes.slice(0, -1).find((pass) => pass.captured?.patch?.tree === last);
}

export function spin(run: Run, packet: RevisionPacket): Circle | null {
  const passes = sinceUser(run);
  const packets = passes.flatMap((pass) =>
    pass.outcome && pass.number !== packet.pass ? [pass.outcome] : [],
  );
  const same = packets.filter(({ fingerprint }) => fingerprint === packet.fingerprint).length;
  const limit =
    packet.reasonCode === "validation_regression" || packet.reasonCode === "patch_rejected"
      ? sameFindings[packet.reasonCode]
      : sameFindings.other;
  if (same >= limit)
    return {
      cause: "actor_failure",
      why: `The same finding came back ${same + 1} times, and repair did not change it.`,
    };
  const earlier = sameTree(passes);
  if (earlier)
    return {
      cause: "actor_failure",
      why: `Pass ${packet.pass} produced exactly the work of pass ${earlier.number} again.`,
    };
  const { maxRevisions } = run.created.policy.budgets;
  if (packets.length >= maxRevisions) {
    const failing = packets.some(({ reasonCode }) => reasonCode === "validation_regression");
    return failing
      ? { cause: "actor_failure", why: `After ${packets.length} repairs the work still does not hold.` }
      : {
          cause: "reviewer_disagreement",
          why: `The checks pass, and after ${packets.length} repairs reviewers still find something new.`,
        };
  }
  return null;
}
