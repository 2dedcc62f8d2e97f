// Pins the base of a run that no branch holds: the last commit with uncommitted work of earlier runs on it. The kept work
// of a run leads to its base too, so the ref goes away when such work is pinned; otherwise one more would stay for each run.
import { moveOwnRef, type Repository } from "../../../platform/git/index.ts";
import { resolveCommit } from "./describe.ts";
import { listPinned } from "./pinned.ts";

const refOf = (commit: string): string => `refs/thehood/base/${commit}`;

export async function pinBase(repository: Repository, commit: string): Promise<void> {
  await moveOwnRef(repository, refOf(commit), commit);
}

export async function dropPinnedBases(repository: Repository, runId: string): Promise<void> {
  const kept = await listPinned(repository, runId);
  for (const base of new Set(kept.flatMap(({ parents }) => parents.slice(0, 1))))
    if ((await resolveCommit(repository, refOf(base))) === base) await moveOwnRef(repository, refOf(base), null, base);
}
