// The checkout around a verified candidate: read, and the candidate rebuilt on it when it moved (B-1, B-2). Nothing here
// writes to the checkout.
import {
  type EffectContext,
  type EffectOf,
  type EffectOutcome,
  type PlacedWork,
  fail,
} from "../../../core/contract/index.ts";
import { fromBytePath, type Repository, withGcPaused } from "../../../platform/git/index.ts";
import { sha256 } from "../../../platform/store/index.ts";
import {
  checkoutTree,
  compareTrees,
  headCommit,
  listChanges,
  mergeTrees,
  pin,
  pinHeldBase,
  pinSeenTrees,
  retireWorktree,
  treeWith,
} from "../../../workspace/checkout/worktree/index.ts";
import { type EffectDeps, repositoryOf } from "../deps.ts";
import { putDiff } from "../redaction.ts";

type LookEffect = EffectOf<"look_at_checkout">;
type RebuildEffect = EffectOf<"rebuild_candidate">;

/** The content of the checkout: tracked files and the paths of the work as one tree, and all files as another. */
export interface CheckoutFiles {
  readonly head: string | null;
  readonly tree: string;
  readonly whole: string;
  /** Paths that differ from what the run expects. */
  readonly differing: readonly string[];
}

const mostPaths = 200;

export async function lookAtCheckout(
  deps: EffectDeps,
  effect: LookEffect,
  { runId }: EffectContext,
): Promise<EffectOutcome> {
  try {
    // The turn ends when the look is in the log.
    return lookOutcome(effect.moment, effect.expected, await seeCheckout(repositoryOf(deps), runId, effect));
  } catch (error) {
    deps.turns.end(runId);
    throw error;
  }
}

/** Read, and pinned: the log names what was seen before the work is applied, and a later step compares with it. */
export const seeCheckout = (
  repository: Repository,
  runId: string,
  effect: Pick<LookEffect, "expected" | "paths" | "since" | "forBranch">,
): Promise<CheckoutFiles> =>
  withGcPaused(repository, async (where) => {
    const found = await readCheckoutFiles(where, effect);
    if (effect.since === null) await pinSeenTrees(where, runId, [found.tree, found.whole], found.head ?? undefined);
    return found;
  });

export function lookOutcome(
  moment: LookEffect["moment"],
  expected: string,
  { head, tree, whole, differing }: CheckoutFiles,
): EffectOutcome {
  const paths = differing.slice(0, mostPaths);
  return { kind: "look_at_checkout", look: { moment, head, tree, whole, expected, paths } };
}

const changedPaths = async (repository: Repository, from: string, to: string): Promise<string[]> =>
  from === to ? [] : (await listChanges(repository, from, to)).map(({ path }) => fromBytePath(path));

interface Around {
  /** The trees of HEAD, of the checkout, and of what the run expects there. */
  readonly head: string;
  readonly now: string;
  readonly base: string;
}

/** The tracked files that the user has edited. The base may hold uncommitted work of earlier runs: that is no edit. */
async function editedPaths(repository: Repository, { head, now, base }: Around): Promise<string[]> {
  const moved = new Set(await changedPaths(repository, base, now));
  return (await changedPaths(repository, head, now)).filter((path) => moved.has(path));
}

/** The checkout with what HEAD has in the files that the user edits: a new branch gets none of these edits. */
async function withoutEdits(repository: Repository, around: Around): Promise<string> {
  const edited = new Set(await editedPaths(repository, around));
  if (edited.size === 0) return around.now;
  const back = await listChanges(repository, around.now, around.head);
  return treeWith(
    repository,
    around.now,
    back.filter(({ path }) => edited.has(fromBytePath(path))),
  );
}

export async function readCheckoutFiles(
  repository: Repository,
  { expected, paths, since, forBranch }: Pick<LookEffect, "expected" | "paths" | "since" | "forBranch">,
): Promise<CheckoutFiles> {
  const head = await headCommit(repository);
  const { tree: now, whole } = await checkoutTree(repository, paths);
  const tree = head && forBranch ? await withoutEdits(repository, { head: head.tree, now, base: expected }) : now;
  const changed = since === null ? [] : await changedPaths(repository, since, whole);
  const outside = changed.filter((path) => !paths.includes(path));
  const differing = [...new Set([...(await changedPaths(repository, expected, tree)), ...outside])];
  return { head: head?.commit ?? null, tree, whole, differing };
}

export async function rebuildCandidate(
  deps: EffectDeps,
  effect: RebuildEffect,
  { runId }: EffectContext,
): Promise<EffectOutcome> {
  const { patch, pass } = effect;
  const { tree, fromTree, changedPaths: paths } = patch;
  const repository = repositoryOf(deps);
  const built = effect.asItIs
    ? await takeAsItIs(repository, runId, { fromTree, tree, paths })
    : await rebuildOnCheckout(repository, runId, effect);
  if ("kind" in built) return built;
  const diff = await putDiff(deps, built.patch, `work of pass ${pass}, built again on ${built.onto.commit}`);
  return {
    kind: "rebuild_candidate",
    onto: built.onto,
    patch: {
      ...patch,
      patch: diff,
      full: diff,
      patchSha256: sha256(built.patch),
      fromTree: built.onto.tree,
      tree: built.tree,
      changedPaths: built.changes.map(({ path }) => fromBytePath(path)),
      keptRef: built.keptRef,
    },
  };
}

type Rebuilt = Awaited<ReturnType<typeof takeAsItIs>>;
type NotRebuilt = Extract<EffectOutcome, { kind: "rebuild_candidate_blocked" | "rebuild_candidate_conflict" }>;

/** The change from the base to the tree of the work, built on what the checkout holds now. The worker's folder follows. */
async function rebuildOnCheckout(
  repository: Repository,
  runId: string,
  { base, patch: { tree, changedPaths: paths }, forBranch }: RebuildEffect,
): Promise<Rebuilt | NotRebuilt> {
  const head = await headOf(repository);
  const around = { head: head.tree, now: (await checkoutTree(repository, paths)).tree, base: base.tree };
  const now = forBranch ? await withoutEdits(repository, around) : around.now;
  const own = forBranch ? [] : (await editedPaths(repository, around)).filter((path) => paths.includes(path));
  if (own.length > 0)
    return {
      kind: "rebuild_candidate_blocked",
      message: "These files have changes of yours that the work touches.",
      paths: own,
    };
  const commit =
    now === head.tree
      ? head.commit
      : await pinAsBase(repository, runId, now, head.commit, "the checkout with its uncommitted edits");
  const onto = { commit, tree: now };
  const merged = await mergeTrees(repository, base.tree, now, tree);
  await retireFolder(repository, runId);
  const built = merged?.tree ?? now;
  const what = "the work, built again on the checkout as it is";
  const { ref: keptRef } = await pinTree(repository, runId, built, commit, what);
  if (merged?.clean) return { onto, tree: built, keptRef, ...(await compareTrees(repository, now, built)) };
  const message = merged ? `both changed ${merged.conflicts.join(", ")}` : "this git cannot bring both together";
  return {
    kind: "rebuild_candidate_conflict",
    onto,
    tree: built,
    paths: merged?.conflicts ?? paths,
    message,
  };
}

/** The base is the checkout with the files of the work as they were before it, so no edit of the user is lost or hidden. */
async function takeAsItIs(repository: Repository, runId: string, { fromTree, tree, paths }: PlacedWork) {
  const head = await headOf(repository);
  const now = (await checkoutTree(repository, paths)).tree;
  const before = await treeWith(repository, now, await listChanges(repository, tree, fromTree));
  const base = await pinAsBase(repository, runId, before, head.commit, "the checkout without the work");
  await retireFolder(repository, runId);
  const kept = await pinTree(repository, runId, now, base, "the work with the edits beside it");
  return {
    onto: { commit: base, tree: before },
    tree: now,
    keptRef: kept.ref,
    ...(await compareTrees(repository, before, now)),
  };
}

async function headOf(repository: Repository) {
  const head = await headCommit(repository);
  return head ?? fail("git_failed", "The checkout has no commit any more.", { remedy: "Look at its branch." });
}

/** The worker's folder is made again from the newest pin when it is needed next. */
async function retireFolder(repository: Repository, runId: string): Promise<void> {
  const { left } = await retireWorktree(repository, runId);
  if (left !== undefined) fail("git_failed", `The worker's folder could not follow the checkout: ${left}`);
}

/** The run goes on from it, so the commit itself is there until the run ends. */
async function pinAsBase(
  repository: Repository,
  ...pinned: [runId: string, tree: string, parent: string, what: string]
): Promise<string> {
  const { commit } = await pinTree(repository, ...pinned);
  if (!(await pinHeldBase(repository, commit))) fail("git_failed", `The commit ${commit} cannot be made again.`);
  return commit;
}

const pinTree = (repository: Repository, runId: string, tree: string, parent: string, what: string) =>
  pin(repository, { runId, tree, parents: [parent], message: `${runId}: ${what}\n` });
