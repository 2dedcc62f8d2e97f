// The way back of integrated work (B-20): the checkout becomes what it would be without the work, and edits that the user
// made since stay, also in the same files. The checkout is pinned first; it is changed wholly, or not at all.
import type { PlacedWork, UndoResult } from "../../../core/contract/index.ts";
import { fromBytePath, git, type BytePath, type RawChange, type Repository } from "../../../platform/git/index.ts";
import { headCommit, indexInfo, listChanges, checkoutTree, mergeTrees, pin, treeWith } from "../worktree/index.ts";
import { moveLocked, withApplyLock, type ApplyFence } from "./integrate.ts";
import { same, CheckoutView } from "./view.ts";

interface TakeOutRequest {
  readonly runId: string;
  readonly placed: PlacedWork;
  readonly fence?: ApplyFence | undefined;
}

type Refused = { readonly ok: false; readonly message: string; readonly paths: readonly string[] };
type Out = { readonly ok: true; readonly taken: UndoResult } | Refused;

const none = "000000";
const names = (paths: readonly BytePath[]): string[] => paths.map(fromBytePath).toSorted();

/** The steps back, without those for files that are not there any more: nothing of the work is left in them. */
async function stepsBack(repository: Repository, { fromTree, tree }: PlacedWork, now: string) {
  const since = new Map((await listChanges(repository, tree, now)).map((change) => [change.path, change]));
  const all = await listChanges(repository, tree, fromTree);
  const isGone = ({ path, oldMode }: RawChange) => oldMode !== none && since.get(path)?.newMode === none;
  return { since, steps: all.filter((change) => !isGone(change)), gone: all.filter(isGone) };
}

/** The checkout without the work. Undefined tree: edits of the user block it, at these paths. */
async function without(
  repository: Repository,
  { tree }: PlacedWork,
  now: string,
  { steps, since }: Awaited<ReturnType<typeof stepsBack>>,
): Promise<{ readonly tree: string | undefined; readonly conflicts: readonly string[] }> {
  const edited = steps.filter(({ path }) => since.has(path));
  if (edited.length === 0) return { tree: await treeWith(repository, now, steps), conflicts: [] };
  const merged = await mergeTrees(repository, tree, now, await treeWith(repository, tree, steps));
  if (merged?.clean) return { tree: merged.tree, conflicts: [] };
  return { tree: undefined, conflicts: merged?.conflicts ?? names(edited.map(({ path }) => path)) };
}

const refused = (paths: readonly string[]): Refused => ({
  ok: false,
  message:
    "You changed the same lines since, so the work cannot be taken out without losing edits of yours; nothing was changed.",
  paths,
});

/**
 * Work that the user staged is staged no longer: what was staged stays staged without it. A path whose last commit is what
 * is staged is left alone.
 */
async function unstage(view: CheckoutView, placed: PlacedWork, moves: readonly RawChange[]): Promise<void> {
  const before = new CheckoutView(view.repository, placed.fromTree);
  const entries = moves.flatMap((move) => {
    const path = fromBytePath(move.path);
    const staged = view.staged(path);
    if (same(staged, view.committed(path))) return [];
    if (same(staged, view.known(path))) return [move];
    if (!same(staged, view.ours(path))) return [];
    const back = before.known(path);
    return [{ path: move.path, newMode: back?.mode ?? none, newId: back?.id ?? move.newId }];
  });
  if (entries.length > 0)
    await git(view.repository, ["update-index", "-z", "--add", "--index-info"], {
      stdin: indexInfo(entries),
    });
}

export const revertInCheckout = (repository: Repository, { runId, placed, fence }: TakeOutRequest): Promise<Out> =>
  withApplyLock(repository, async (folder, lock): Promise<Out> => {
    const head = await headCommit(repository);
    const now = (await checkoutTree(repository, placed.paths)).tree;
    const back = await stepsBack(repository, placed, now);
    const out = await without(repository, placed, now, back);
    if (out.tree === undefined) return refused(out.conflicts);
    const changes = await listChanges(repository, now, out.tree);
    const gone = names(back.gone.map(({ path }) => path));
    const view = new CheckoutView(repository, now, placed.tree);
    const committed = names(
      changes
        .map(({ path }) => path)
        .filter((path) => same(view.committed(fromBytePath(path)), view.ours(fromBytePath(path)))),
    );
    if (changes.length === 0) return { ok: true, taken: { tree: now, paths: [], gone, committed, keptRef: null } };
    const message = `${runId}: the checkout before the work was taken out\n`;
    const kept = await pin(repository, { runId, tree: now, parents: head ? [head.commit] : [], message });
    const moved = await moveLocked(view, { fromTree: now, toTree: out.tree, changes, fence }, folder, lock);
    if (moved.outcome === "blocked" || moved.outcome === "conflict")
      return {
        ok: false,
        message: moved.message,
        paths: "paths" in moved ? moved.paths : moved.conflicts.map(({ path }) => path),
      };
    await unstage(view, placed, changes);
    const paths = names(changes.map(({ path }) => path));
    return { ok: true, taken: { tree: out.tree, paths, gone, committed, keptRef: kept.ref } };
  });
