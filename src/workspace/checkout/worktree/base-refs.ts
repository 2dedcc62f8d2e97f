// Pins the base of a run that no branch holds: the last commit with uncommitted work of earlier runs on it, or the checkout
// with its uncommitted edits. While the run goes on a ref leads to the commit. Then the kept work of the run holds it; where
// nothing was kept the ref holds its text (held-commits.ts) until the run is deleted or archived.
//
// The tip of a branch is different: several runs can begin on it. Its ref stays until the last of them is deleted or archived.
import { fail } from "../../../core/contract/index.ts";
import {
  askOwnRef,
  bringIn,
  inTheOpen,
  moveOwnRef,
  moveOwnRefs,
  withGcPaused,
  writeObjects,
  type Repository,
} from "../../../platform/git/index.ts";
import { resolveCommit } from "./describe.ts";
import { baseRef, bringBackCommit, holderOf, parentRef, standingOf } from "./held-commits.ts";
import { isHeld, listPinned } from "./kept-work.ts";
import { releaseParents } from "./release.ts";
import { readBack } from "./read-back.ts";

const tipRefOf = (commit: string): string => `refs/thehood/tip/${commit}`;

export async function pinBase(repository: Repository, commit: string): Promise<void> {
  await moveOwnRef(repository, baseRef(commit), commit);
}

export async function pinTip(repository: Repository, commit: string): Promise<void> {
  await moveOwnRef(repository, tipRefOf(commit), commit);
}

/** A run goes on from a commit that is held as text: it is made again, and a ref leads to it. False when nothing holds it. */
export const pinHeldBase = (repository: Repository, commit: string): Promise<boolean> =>
  withGcPaused(repository, async (where) => {
    if (!(await bringBackCommit(where, commit))) return false;
    await bringIn(where, commit);
    await pinBase(where, commit);
    await readBack(inTheOpen(where), { refs: [baseRef(commit)], objects: [commit] }, undefined);
    return true;
  });

/** The id of the commit when it is there; one that is held only is made again. */
export async function openBase(repository: Repository, commit: string): Promise<string | undefined> {
  const ref = await askOwnRef(repository, baseRef(commit));
  const found = ref !== null && ref !== commit ? undefined : await resolveCommit(repository, commit);
  if (found !== undefined) return found;
  return (await pinHeldBase(repository, commit)) ? commit : undefined;
}

/** Nothing happens where the commit is not pinned as a base. */
export async function dropBase(repository: Repository, commit: string): Promise<void> {
  const held = await askOwnRef(repository, baseRef(commit));
  if (held === null) return;
  await moveOwnRef(repository, baseRef(commit), null, held);
  if (held !== commit) await releaseParents(repository);
}

/** `isNeeded`: whether another run began on this commit. It is asked only where there is a ref. */
export async function dropTip(repository: Repository, commit: string, isNeeded: () => Promise<boolean>): Promise<void> {
  if ((await resolveCommit(repository, tipRefOf(commit))) === commit && !(await isNeeded()))
    await moveOwnRef(repository, tipRefOf(commit), null, commit);
}

/** The run is over. `begun`: the commit that it began on. */
export async function settleBases(repository: Repository, runId: string, begun: string | null): Promise<void> {
  const kept = await listPinned(repository, runId);
  const bases = new Set([...kept.map(({ parents }) => parents[0]), ...kept.map(({ commit }) => commit), begun]);
  for (const base of bases) {
    if (base === undefined || base === null || (await askOwnRef(repository, baseRef(base))) !== base) continue;
    const leads = kept.some((work) => work.holder === undefined && work.parents.includes(base));
    if (leads || (await isHeld(repository, base, kept))) await moveOwnRef(repository, baseRef(base), null, base);
    else await holdBase(repository, base);
  }
}

/** The same for a run of which no folder had to be taken away. Nothing happens where its base is the user's. */
export async function settleBase(repository: Repository, runId: string, begun: string): Promise<void> {
  if ((await askOwnRef(repository, baseRef(begun))) === begun) await settleBases(repository, runId, begun);
}

/** No ref leads to the commit any more, and all that it leads to stays. */
const holdBase = (repository: Repository, base: string): Promise<void> =>
  withGcPaused(repository, async (where) => {
    const isBase = async (commit: string) => Promise.resolve(commit === base);
    const { own, on } = await standingOf(where, [base], isBase);
    const holder = holderOf(own, on, base.length);
    await writeObjects(where, holder.objects, base.length);
    await bringIn(where, holder.id);
    const ref = baseRef(base);
    const steps = [...on.map((id) => ({ ref: parentRef(id), to: id })), { ref, to: holder.id }];
    if (!(await moveOwnRefs(where, steps))) fail("git_failed", `${ref} cannot be written.`, { remedy: "Try again." });
    await readBack(inTheOpen(where), { refs: steps.map((step) => step.ref), objects: [holder.id, ...on] }, on[0]);
  });
