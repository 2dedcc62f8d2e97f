// Things of runs that lie beside the store: kept refs and worktrees. Each belongs to a run of the store, and can be read.
import type { VerifyProblem } from "../../../core/contract/index.ts";
import { pinnedRefs, brokenPins, worktreeRuns } from "../../../workspace/checkout/worktree/index.ts";
import type { Repository } from "../../../platform/git/index.ts";

export async function orphanedRefs(
  repository: Repository,
  isKnown: (runId: string) => boolean,
): Promise<VerifyProblem[]> {
  const refs = await pinnedRefs(repository);
  const unknown = refs.filter(({ runId }) => !isKnown(runId));
  const strayed = worktreeRuns(repository).filter((runId) => !isKnown(runId));
  return [
    ...unknown.map(({ ref, runId }) => ({
      kind: "orphan" as const,
      runId,
      problem: `${ref} keeps work of it, and the log of this run is not here`,
    })),
    ...strayed.map((runId) => ({
      kind: "orphan" as const,
      runId,
      problem: "there is a worktree of it, and the log of this run is not here",
    })),
    ...(await brokenPins(repository, refs)).map(({ ref, runId }) => ({
      kind: "pin" as const,
      runId,
      problem: `${ref} keeps work that cannot be read any more`,
    })),
  ];
}
