// The checkout around a verified candidate, on real git. Nothing here writes to the checkout.
import { fail } from "../../../core/contract/index.ts";
import type { CheckoutFiles, RebuildOutcome, WorktreePort } from "../../engine/effects/index.ts";
import { fromBytePath, type Repository } from "../../../platform/git/index.ts";
import {
  compareTrees,
  headCommit,
  listChanges,
  checkoutTree,
  mergeTrees,
  pin,
  retireWorktree,
  treeWith,
} from "../../../workspace/checkout/worktree/index.ts";

type LookRequest = Omit<Parameters<WorktreePort["look"]>[0], "runId">;
type RebuildRequest = Parameters<WorktreePort["rebuild"]>[0];

const changedPaths = async (repository: Repository, from: string, to: string): Promise<string[]> =>
  from === to ? [] : (await listChanges(repository, from, to)).map(({ path }) => fromBytePath(path));

export async function lookAtCheckout(
  repository: Repository,
  { expected, paths, since }: LookRequest,
): Promise<CheckoutFiles> {
  const head = await headCommit(repository);
  const { tree, whole } = await checkoutTree(repository, paths);
  const other = since === null ? [] : await changedPaths(repository, since, whole);
  const strange = other.filter((path) => !paths.includes(path));
  const differing = [...new Set([...(await changedPaths(repository, expected, tree)), ...strange])];
  return { head: head?.commit ?? null, tree, whole, differing };
}

export async function rebuildCandidate(
  repository: Repository,
  { runId, base, tree, paths }: RebuildRequest,
): Promise<RebuildOutcome> {
  const head = await headCommit(repository);
  if (!head) fail("git_failed", "The checkout has no commit any more.", { remedy: "Look at its branch." });
  const now = (await checkoutTree(repository, paths)).tree;
  // The base may hold work of earlier runs that nobody committed yet: a file that is as the base has it is not the user's.
  const moved = new Set(await changedPaths(repository, base.tree, now));
  const own = (await changedPaths(repository, head.tree, now)).filter(
    (path) => paths.includes(path) && moved.has(path),
  );
  if (own.length > 0)
    return {
      outcome: "dirty",
      message: "These files have changes of yours that the work touches.",
      paths: own,
    };
  const commit =
    now === head.tree
      ? head.commit
      : (await pinned(repository, runId, now, head.commit, "the checkout with its uncommitted edits")).commit;
  const onto = { commit, tree: now };
  const merged = await mergeTrees(repository, base.tree, now, tree);
  // The worker's folder is made again from the newest pin when it is needed next.
  const { left } = await retireWorktree(repository, runId);
  if (left !== undefined) fail("git_failed", `The worker's folder could not follow the checkout: ${left}`);
  const built = merged?.tree ?? now;
  const kept = await pinned(
    repository,
    runId,
    built,
    commit,
    "the work, built again on the checkout as it is",
  );
  if (!merged?.clean) {
    const said = merged
      ? `both changed ${merged.conflicts.join(", ")}`
      : "this git cannot bring both together";
    return { outcome: "conflict", onto, tree: built, paths: merged?.conflicts ?? paths, message: said };
  }
  const { changes, patch } = await compareTrees(repository, now, built);
  return {
    outcome: "rebuilt",
    onto,
    tree: built,
    patch,
    changedPaths: changes.map(({ path }) => fromBytePath(path)),
    keptRef: kept.ref,
  };
}

/** The base is the checkout with the files of the work as they were before it; so nothing of the user's is lost or hidden. */
export async function takeAsItIs(
  repository: Repository,
  { runId, placed: { fromTree, tree, paths } }: Parameters<WorktreePort["takeAsItIs"]>[0],
): Promise<RebuildOutcome> {
  const head = await headCommit(repository);
  if (!head) fail("git_failed", "The checkout has no commit any more.", { remedy: "Look at its branch." });
  const now = (await checkoutTree(repository, paths)).tree;
  const before = await treeWith(repository, now, await listChanges(repository, tree, fromTree));
  const base = await pinned(repository, runId, before, head.commit, "the checkout without the work");
  const { left } = await retireWorktree(repository, runId);
  if (left !== undefined) fail("git_failed", `The worker's folder could not follow the checkout: ${left}`);
  const kept = await pinned(repository, runId, now, base.commit, "the work with the edits beside it");
  const { changes, patch } = await compareTrees(repository, before, now);
  return {
    outcome: "rebuilt",
    onto: { commit: base.commit, tree: before },
    tree: now,
    patch,
    changedPaths: changes.map(({ path }) => fromBytePath(path)),
    keptRef: kept.ref,
  };
}

const pinned = (repository: Repository, runId: string, tree: string, parent: string, what: string) =>
  pin(repository, { runId, tree, parents: [parent], message: `${runId}: ${what}\n` });
