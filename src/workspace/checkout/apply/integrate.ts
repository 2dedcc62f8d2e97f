// Moves the checkout from one known tree to another, on the paths that differ: wholly, or not at all.
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { diskFailure, fail } from "../../../core/contract/index.ts";
import type { RawChange, Repository } from "../../../platform/git/index.ts";
import { ensureExcluded, listChanges, stateSubfolder } from "../worktree/index.ts";
import { clearJournal, journalLocation, writeJournal, type Conflict } from "./journal.ts";
import { lockApplies, type ApplyLock } from "./lock.ts";
import { planMove } from "./plan.ts";
import { recoverLocked } from "./recover.ts";
import { stage } from "./stage.ts";
import { startMover } from "./supervise.ts";
import { CheckoutView } from "./view.ts";

export type Integration =
  | {
      readonly outcome: "applied";
      readonly paths: readonly string[];
      readonly fromTree: string;
      readonly toTree: string;
    }
  | {
      readonly outcome: "already_applied";
      readonly paths: readonly string[];
      readonly fromTree: string;
      readonly toTree: string;
    }
  /** Edits of the user block it. The checkout is as it was. */
  | {
      readonly outcome: "blocked";
      readonly reason: "dirty_target";
      readonly paths: readonly string[];
      readonly message: string;
    }
  /** The user worked on the same files at the same moment; the user's version stays, and this names where the rest is. */
  | {
      readonly outcome: "conflict";
      readonly conflicts: readonly Conflict[];
      readonly folder: string;
      readonly message: string;
    };

const blocked = (paths: readonly string[]): Integration => ({
  outcome: "blocked",
  reason: "dirty_target",
  paths,
  message: `The checkout has its own changes in ${paths.slice(0, 5).join(", ")}${paths.length > 5 ? " …" : ""}; nothing was touched.`,
});

/** Undone because of the user's work, or because of the disk: a conflict without a path. */
function undone(conflicts: readonly Conflict[]): Integration {
  const disk = conflicts.find(({ path }) => path === "");
  if (disk) fail("store_io", `Nothing was changed: ${disk.why}`, { remedy: "Look at the disk, then try again." });
  return blocked(conflicts.map(({ path }) => path));
}

let counter = 0;

/**
 * Holds the lock on applying to this checkout, after finishing what a crash left. `keeperOf` may return a holder
 * that gets the lock at the end and must release it.
 */
export async function withApplyLock<T>(
  repository: Repository,
  work: (folder: string, lock: ApplyLock) => Promise<T>,
  keeperOf?: (done: T) => ((release: () => void) => void) | undefined,
): Promise<T> {
  ensureExcluded(repository);
  const base = stateSubfolder(repository, "apply");
  const lock = await lockApplies(base);
  let keeper: ((release: () => void) => void) | undefined;
  try {
    recoverLocked(base, repository.top);
    const folder = freshFolder(base);
    try {
      const done = await work(folder, lock);
      keeper = keeperOf?.(done);
      return done;
    } finally {
      clearJournal(journalLocation(folder), repository.top);
    }
  } catch (error) {
    throw diskFailure(error) ?? error;
  } finally {
    if (keeper) keeper(() => lock.release());
    else lock.release();
  }
}

function freshFolder(base: string): string {
  let folder: string;
  do folder = join(base, `${process.pid}-${counter++}`);
  while (existsSync(folder));
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}

/**
 * Called right before the checkout is changed. It calls `commit`, which writes the journal, only while the lease cannot
 * be lost; it rejects when the lease is gone.
 */
export type ApplyFence = (commit: () => void) => Promise<void>;

interface Step {
  readonly fromTree: string;
  readonly toTree: string;
  readonly changes: readonly RawChange[];
  readonly fence?: ApplyFence | undefined;
}

/** For a caller that holds the lock and has an empty folder for the journal. */
export async function moveLocked(
  view: CheckoutView,
  step: Step,
  folder: string,
  lock: ApplyLock,
): Promise<Integration> {
  const { fromTree, toTree, changes } = step;
  const mover = startMover(folder);
  let asked = false;
  try {
    view.refresh();
    const plan = planMove(view, changes);
    if (plan.state === "already_there") return { outcome: "already_applied", paths: plan.paths, fromTree, toTree };
    if (plan.state === "blocked") return blocked(plan.dirty);
    const location = journalLocation(folder);
    const moves = await stage(view.repository, plan.moves, toTree, location);
    const top = view.repository.top;
    const journal = { version: 1 as const, id: folder, top, fromTree, toTree, moves, makes: [...plan.makes] };
    const commit = () => writeJournal(location, journal);
    await (step.fence ? step.fence(commit) : commit());
    asked = true;
    const { ending, conflicts } = await mover.go(lock);
    if (ending === "done") return { outcome: "applied", paths: moves.map(({ path }) => path), fromTree, toTree };
    if (ending === "undone") return undone(conflicts);
    const message = `Files were edited while they were replaced; your edits stand. The files that they replaced lie in ${folder}.`;
    return { outcome: "conflict", conflicts, folder, message };
  } finally {
    if (!asked) mover.dismiss();
  }
}

/** Also reverts: the trees the other way round, as long as the files are unchanged since. */
export async function integrateTrees(
  repository: Repository,
  { fromTree, toTree }: { readonly fromTree: string; readonly toTree: string },
): Promise<Integration> {
  const changes = await listChanges(repository, fromTree, toTree);
  return withApplyLock(repository, async (folder, lock) => {
    const view = new CheckoutView(repository, fromTree);
    return moveLocked(view, { fromTree, toTree, changes }, folder, lock);
  });
}
