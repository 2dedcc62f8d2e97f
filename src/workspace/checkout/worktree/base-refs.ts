// Pins the base of a run that no branch holds: the last commit with uncommitted work of earlier runs on it. The kept work
// of a run leads to its base too, so the ref goes away when such work is pinned; otherwise one more would stay for each run.
// A run that ended without work keeps its ref until it is deleted or archived.
//
// The tip of a branch is different: several runs can begin on it. Its ref stays until the last of them is deleted or archived.
import { moveOwnRef, type Repository } from "../../../platform/git/index.ts";
import { resolveCommit } from "./describe.ts";
import { listPinned } from "./pinned.ts";

const refOf = (commit: string): string => `refs/thehood/base/${commit}`;
const tipRefOf = (commit: string): string => `refs/thehood/tip/${commit}`;

export async function pinBase(repository: Repository, commit: string): Promise<void> {
  await moveOwnRef(repository, refOf(commit), commit);
}

export async function pinTip(repository: Repository, commit: string): Promise<void> {
  await moveOwnRef(repository, tipRefOf(commit), commit);
}

/** Nothing happens where the commit is not pinned as a base. */
export async function dropBase(repository: Repository, commit: string): Promise<void> {
  if ((await resolveCommit(repository, refOf(commit))) === commit)
    await moveOwnRef(repository, refOf(commit), null, commit);
}

/** `isNeeded`: whether another run began on this commit. It is asked only where there is a ref. */
export async function dropTip(repository: Repository, commit: string, isNeeded: () => Promise<boolean>): Promise<void> {
  if ((await resolveCommit(repository, tipRefOf(commit))) === commit && !(await isNeeded()))
    await moveOwnRef(repository, tipRefOf(commit), null, commit);
}

export async function dropPinnedBases(repository: Repository, runId: string): Promise<void> {
  const kept = await listPinned(repository, runId);
  for (const base of new Set(kept.flatMap(({ parents }) => parents.slice(0, 1)))) await dropBase(repository, base);
}
