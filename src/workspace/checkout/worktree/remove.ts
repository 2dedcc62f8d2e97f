// Removes a worktree, but only once everything in it is pinned. Interrupted at any point it can be done again.
import { existsSync, lstatSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { FailureError } from "../../../core/contract/index.ts";
import { withGcPaused, forgetWorktrees, type Repository } from "../../../platform/git/index.ts";
import { isSafeSegment } from "../../../platform/paths/index.ts";
import { captureChanges, type Capture } from "./capture.ts";
import { adoptWorktree, isWorktreeAt, openWorktree } from "./create.ts";
import { keepIgnored } from "./ignored.ts";
import { listPinned, type Pinned, type PinnedWork } from "./kept-work.ts";
import { commitTree, pin } from "./pinned.ts";
import { dropIndexes } from "./stage.ts";
import { takeOutStashes } from "./stash.ts";
import { recordLocation, readRecord, writeRecord, type Worktree, type WorktreeLocation } from "./record.ts";
import { recordHere } from "./relocate.ts";
import { stateSubfolder } from "./state-dir.ts";

interface Removal {
  readonly removed: boolean;
  readonly kept: Pinned | null;
  /** Why it still exists, when it does. */
  readonly reason?: string;
}

/**
 * Pins the content of a capture when it is more than the base; null when there is nothing to keep. `seen`: what is known to
 * be kept of the run.
 */
export async function pinCapture(
  worktree: Worktree,
  capture: Capture,
  seen?: readonly PinnedWork[],
): Promise<Pinned | null> {
  const { repository, runId, name } = worktree;
  const moved = capture.workerHead !== null && capture.workerHead !== capture.baseCommit;
  const { stagedTree } = capture;
  const beside = [...capture.leftCommits, ...capture.stashes];
  const nothingBeside = beside.length === 0 && stagedTree === null;
  if (capture.tree === capture.baseTree && !moved && nothingBeside) return null;
  const parents = [capture.baseCommit];
  if (moved && capture.workerHead !== null) parents.push(capture.workerHead);
  parents.push(...beside);
  if (stagedTree !== null)
    parents.push(await commitTree(repository, stagedTree, [capture.baseCommit], `index of ${name} of ${runId}\n`));
  const message = `${runId}: ${capture.changes.length} changed path(s) in worktree ${name}\n`;
  const location = recordLocation(repository, runId, name);
  const record = readRecord(location) ?? worktree.record;
  const none = record.keptRefs.length === 0 ? [] : undefined;
  const work = await pin(repository, { runId, tree: capture.tree, parents, message }, seen ?? none);
  if (!record.keptRefs.includes(work.ref))
    writeRecord(location, { ...record, keptRefs: [...record.keptRefs, work.ref] });
  return work;
}

/** `refs`: everything that is kept of the run by then. */
export async function removeWorktree(worktree: Worktree): Promise<Removal & { readonly refs: readonly string[] }> {
  const { repository, runId, name } = worktree;
  const { capture, before, kept } = await withGcPaused(repository, async (where) => {
    const seen = { ...worktree, repository: where };
    const last = await captureChanges(seen, { last: true });
    const known = await listPinned(repository, runId);
    return { capture: last, before: known, kept: await pinCapture(seen, last, known) };
  });
  await takeOutStashes(repository, capture.stashes);
  const refs = [...new Set([...before.map(({ ref }) => ref), ...(kept ? [kept.ref] : [])])];
  keepIgnored(repository, runId, worktree.path, capture.ignored);
  const held = whatHolds(worktree.path, capture);
  if (held !== undefined) return { removed: false, kept, refs, reason: held };
  const location = recordLocation(repository, runId, name);
  writeRecord(location, { ...(readRecord(location) ?? worktree.record), removing: true });
  takeAway(repository, location);
  return { removed: true, kept, refs };
}

/** Work that cannot be pinned keeps the folder. */
function whatHolds(folder: string, { flags }: Capture): string | undefined {
  if (flags.skipped.length > 0)
    return `it holds files that are too large to keep: ${flags.skipped.map((file) => file.path).join(", ")}`;
  const own = flags.embeddedRepositories.filter((path) => hasCommits(join(folder, path, ".git")));
  return own.length > 0 ? `it holds repositories with a history of their own: ${own.join(", ")}` : undefined;
}

const hasCommits = (gitDir: string): boolean =>
  existsSync(join(gitDir, "logs", "HEAD")) || existsSync(join(gitDir, "packed-refs"));

function takeAway(repository: Repository, location: WorktreeLocation): void {
  forgetWorktrees(repository, isWorktreeAt(location));
  rmSync(location.path, { recursive: true, force: true, maxRetries: 3 });
  dropIndexes(location.pristineIndex);
  for (const file of [location.shown, location.pristineIndex, location.recordFile]) rmSync(file, { force: true });
  // A killed process may leave a record half written.
  const draft = `${basename(location.recordFile)}.`;
  for (const file of readdirSync(location.folder))
    if (file.startsWith(draft) && file.endsWith(".tmp")) rmSync(join(location.folder, file), { force: true });
  for (const folder of [location.folder, dirname(location.path)])
    if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
}

/**
 * Ends the worktree of one run, wherever a crash stopped an earlier attempt to make it or to remove it. Answers
 * everything that is kept of the run.
 */
export async function retireWorktree(
  repository: Repository,
  runId: string,
  name = "work",
): Promise<{ readonly refs: readonly string[]; readonly left?: string }> {
  const worktree = openWorktree(repository, runId, name);
  if (worktree) {
    const { refs, removed, reason } = await removeWorktree(worktree);
    return removed ? { refs } : { refs, left: `${worktree.path} stays: ${reason}` };
  }
  const location = recordLocation(repository, runId, name);
  if (await adoptWorktree(repository, location, { runId, name })) return retireWorktree(repository, runId, name);
  const refs = (await listPinned(repository, runId)).map(({ ref }) => ref);
  if (isUnknown(location)) return { refs, left: `${location.path} stays: its record cannot be read` };
  takeAway(repository, location);
  return { refs };
}

/** The folder exists without a record or a git note. */
const isUnknown = (location: WorktreeLocation): boolean => existsSync(location.path) && !readRecord(location);

interface SweepReport {
  readonly removed: readonly string[];
  readonly kept: readonly Pinned[];
  readonly left: readonly { readonly path: string; readonly reason: string }[];
}

/** Removes worktrees of runs that are over. Looks nowhere but below `.thehood/worktrees/`. */
export async function sweepWorktrees(
  repository: Repository,
  isLive: (runId: string) => boolean | Promise<boolean>,
): Promise<SweepReport> {
  const removed: string[] = [];
  const kept: Pinned[] = [];
  const left: { path: string; reason: string }[] = [];
  const base = stateSubfolder(repository, "worktrees");
  for (const runId of readdirSync(base)) {
    if (!isSafeSegment(runId) || (await isLive(runId)) || !lstatSync(join(base, runId)).isDirectory()) continue;
    for (const name of worktreeNames(join(base, runId))) {
      const { path } = recordLocation(repository, runId, name);
      const done = await sweepOne(repository, runId, name);
      if (done.removed) removed.push(path);
      else left.push({ path, reason: done.reason ?? "unknown" });
      if (done.kept) kept.push(done.kept);
    }
    if (existsSync(join(base, runId)) && readdirSync(join(base, runId)).length === 0) rmdirSync(join(base, runId));
  }
  return { removed, kept, left };
}

function worktreeNames(folder: string): string[] {
  const names = readdirSync(folder, { withFileTypes: true });
  const found = names.flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : entry.name.endsWith(".json") ? [entry.name.slice(0, -".json".length)] : [],
  );
  return [...new Set(found)].filter(isSafeSegment);
}

async function sweepOne(repository: Repository, runId: string, name: string): Promise<Removal> {
  const location = recordLocation(repository, runId, name);
  const record = recordHere(repository, location) ?? (await adoptWorktree(repository, location, { runId, name }));
  if (record && (record.removing || record.making || !existsSync(location.path))) {
    takeAway(repository, location);
    return { removed: true, kept: null };
  }
  const worktree = openWorktree(repository, runId, name);
  if (!worktree)
    return {
      removed: false,
      kept: null,
      reason: "it has no record of ours; look at it and remove it by hand",
    };
  try {
    return await removeWorktree(worktree);
  } catch (error) {
    if (error instanceof FailureError) return { removed: false, kept: null, reason: error.failure.message };
    throw error;
  }
}
