// Refs that keep work alive: work is pinned here before it is removed, and only a person drops the pin. `keep/RUN/n` leads to
// the files of the work, `commit/RUN/n` to the text of its commit (held-commits.ts), `parent/COMMIT` to what the user had.
import { fail } from "../../../core/contract/index.ts";
import {
  askOwnRef,
  bringIn,
  git,
  idOf,
  inTheOpen,
  moveOwnRefs,
  printCommit,
  readOwnRef,
  writeObjects,
  type RefMove,
  type Repository,
} from "../../../platform/git/index.ts";
import { isSafeSegment } from "../../../platform/paths/index.ts";
import { baseRef, holderOf, parentRef, standingOf } from "./held-commits.ts";
import { companion, isHeld, keepPrefix, listPinned, type Pinned, type PinnedWork } from "./kept-work.ts";
import { readBack } from "./read-back.ts";

const prefix = keepPrefix;

interface PinRequest {
  readonly runId: string;
  readonly tree: string;
  /** The base commit first, then whatever else must stay reachable: the worker's commits, its index. */
  readonly parents: readonly string[];
  readonly message: string;
}

const mostTries = 50;

/**
 * Pins a tree under `refs/thehood/keep/<runId>/<n>`. The same tree with the same parents is pinned once.
 * `seen` is what the caller knows to be pinned of the run. Only a free ref name is used, so if something is
 * missing in `seen` the refs are read after all.
 */
export async function pin(repository: Repository, request: PinRequest, seen?: readonly PinnedWork[]): Promise<Pinned> {
  const { runId, tree } = request;
  if (!isSafeSegment(runId)) fail("invalid_input", `${JSON.stringify(runId)} is not a run id.`);
  const parents = [...new Set(request.parents)];
  let made: Made | undefined;
  for (let tries = 0; tries < mostTries; tries++) {
    const kept = (tries === 0 ? seen : undefined) ?? (await listPinned(repository, runId));
    const existing = kept.find(
      (work) => work.tree === tree && parents.every((parent) => work.parents.includes(parent)),
    );
    const work = existing ?? (made ??= await makePinned(repository, { ...request, parents }, kept));
    const named = existing ?? { ...work, ref: nextName(runId, kept), object: tree };
    await bringIn(repository, named.object, ...(work.holder === undefined ? [] : [work.holder]));
    const steps: RefMove[] = [];
    for (const id of work.on)
      if (readOwnRef(repository, parentRef(id)) !== id) steps.push({ ref: parentRef(id), to: id });
    if (!existing && work.holder !== undefined)
      steps.push({ ref: companion(named.ref), to: work.holder }, { ref: named.ref, to: tree, from: null });
    // False when there is such a ref already.
    if (steps.length > 0 && !(await moveOwnRefs(repository, steps))) continue;
    // Another process that dropped the last other work on one of these commits may have removed its ref meanwhile.
    if (work.on.some((id) => readOwnRef(repository, parentRef(id)) === null)) continue;
    const refs = [named.ref, companion(named.ref), ...work.on.map(parentRef)];
    const objects = [named.object, ...(work.holder === undefined ? [] : [work.holder]), ...work.on];
    await readBack(inTheOpen(repository), { refs, objects }, work.holder === undefined ? parents[0] : work.on[0]);
    return { ref: named.ref, runId, commit: work.commit, tree, object: named.object };
  }
  return fail("git_failed", `No free name under ${prefix}/${runId}.`, {
    remedy:
      "Look for a file that ends in .lock in that folder of the git folder, end the git that holds it, then continue.",
  });
}

type Made = Pick<PinnedWork, "commit" | "holder" | "on">;

async function makePinned(
  repository: Repository,
  { tree, parents, message }: PinRequest,
  kept: readonly PinnedWork[],
): Promise<Made> {
  const { own, on } = await standingOf(repository, parents, (id) => isOurs(repository, id, kept));
  const commit = printCommit({ tree, parents, at: Math.floor(Date.now() / 1_000), message });
  const holder = holderOf([commit, ...own], on, tree.length);
  await writeObjects(repository, holder.objects, tree.length);
  return { commit: idOf(commit, tree.length), holder: holder.id, on };
}

/** Whether the runtime made the commit as a base: a ref says it while the run goes on, and later its kept work. */
async function isOurs(repository: Repository, commit: string, kept: readonly PinnedWork[]): Promise<boolean> {
  if ((await askOwnRef(repository, baseRef(commit))) !== null) return true;
  if (kept.some((work) => work.commit === commit)) return true;
  if (readOwnRef(repository, parentRef(commit)) === commit) return false;
  return isHeld(repository, commit, kept);
}

const numberOf = (ref: string): string => ref.split("/").at(-1) ?? "";

function nextName(runId: string, kept: readonly PinnedWork[]): string {
  const numbers = kept.map(({ ref }) => Number(numberOf(ref))).filter(Number.isSafeInteger);
  return `${prefix}/${runId}/${1 + numbers.reduce((most, one) => Math.max(most, one), 0)}`;
}

export async function commitTree(
  repository: Repository,
  tree: string,
  parents: readonly string[],
  message: string,
): Promise<string> {
  const args = ["commit-tree", tree, ...parents.flatMap((parent) => ["-p", parent]), "-F", "-"];
  const { stdout } = await git(repository, args, { stdin: message });
  return stdout.toString("latin1").trim();
}

/** Drops one kept ref, and only if it still holds what the caller saw. */
export async function dropPinned(repository: Repository, work: Pick<PinnedWork, "ref" | "object">): Promise<void> {
  if (!work.ref.startsWith(`${prefix}/`)) fail("invalid_input", `${work.ref} is not kept work.`);
  const steps: RefMove[] = [{ ref: work.ref, to: null, from: work.object }];
  if ((await askOwnRef(repository, companion(work.ref))) !== null) steps.push({ ref: companion(work.ref), to: null });
  if (!(await moveOwnRefs(repository, steps)))
    fail("conflict", `${work.ref} no longer holds ${work.object}, or another git is writing it.`, {
      remedy: "List the kept work again, then try again.",
    });
}
