// Carries out a journal, forward or back. Every step first moves the old file away, then checks it, then puts the new file
// at the free path. So no file that a user saves meanwhile is overwritten, and any step can be repeated.
import { linkSync, lstatSync, mkdirSync, renameSync, rmdirSync, unlinkSync } from "node:fs";
import { dirname } from "node:path";
import { diskFailure, FailureError } from "../../../core/contract/index.ts";
import { entryAt, syncFolder, systemCode } from "../../../platform/system/index.ts";
import { holdParent } from "../../../platform/paths/index.ts";
import {
  closeJournal,
  printOf,
  samePrint,
  withStagedName,
  type Conflict,
  type Journal,
  type JournalLocation,
  type Move,
  type MoveResult,
} from "./journal.ts";

/** Called before each step that changes something; tests die in it. */
type StepHook = (step: string) => void;

class Obstacle extends Error {
  readonly conflict: Conflict;
  constructor(path: string, why: string) {
    super(`${path}: ${why}`);
    this.conflict = { path, why };
  }
}

const cannotLink = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "EMLINK", "ENOSYS", "EACCES"]);

/** Puts a file where nothing is; false when something is there. The source stays where links are possible. */
function putIfAbsent(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    const code = systemCode(error);
    if (code === "EEXIST") return false;
    if (code === undefined || !cannotLink.has(code)) throw error;
  }
  if (entryAt(to)) return false;
  renameSync(from, to);
  return true;
}

/** False when another process removed it at the same moment. */
function moveAway(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return false;
    throw error;
  }
}

const exists = (path: string) => entryAt(path) !== undefined;

/** Two names of one file. In a copy of a repository they are two files with one content. */
function sameFile({ copied }: Journal, a: string, b: string): boolean {
  const [first, second] = [entryAt(a), entryAt(b)];
  if (!first || !second) return false;
  if (first.ino === second.ino && first.dev === second.dev) return true;
  const print = copied === true ? printOf(a) : undefined;
  return print !== undefined && print !== "other" && samePrint(printOf(b), print);
}

/** The held parent of a path, as long as `work` runs. A refusal there (a link on the way) is an obstacle. */
function withParent<T>(journal: Journal, path: string, make: boolean, work: (target: string, folder: number) => T): T {
  let held;
  try {
    held = holdParent(journal.top, path, { make });
  } catch (error) {
    if (error instanceof FailureError)
      throw new Obstacle(path, String(error.failure.details?.["reason"] ?? error.message));
    throw error;
  }
  try {
    return work(held.folder.at(held.name), held.folder.fd);
  } finally {
    held.folder.close();
  }
}

function takeAway(journal: Journal, location: JournalLocation, index: number, move: Move, hook: StepHook): void {
  const taken = location.taken(index);
  if (!exists(taken))
    withParent(journal, move.path, false, (target) => {
      if (!exists(target)) throw new Obstacle(move.path, "it is gone");
      if (lstatSync(target).isDirectory()) throw new Obstacle(move.path, "a folder is in its place");
      hook(`take ${move.path}`);
      if (!moveAway(target, taken)) throw new Obstacle(move.path, "it is gone");
    });
  if (!samePrint(printOf(taken), move.old)) throw new Obstacle(move.path, "it was changed meanwhile");
}

/** The new file is in place although the old one is not among what was taken: a disk may forget one of two names. */
function isPut(journal: Journal, location: JournalLocation, index: number, move: Move): boolean {
  if (exists(location.taken(index)) || !move.new) return false;
  return withParentOr(journal, move.path, (target) => sameFile(journal, location.staged(index), target)) === true;
}

function putNew(journal: Journal, location: JournalLocation, index: number, move: Move, hook: StepHook): void {
  const staged = location.staged(index);
  withParent(journal, move.path, true, (target) => {
    if (sameFile(journal, staged, target)) return;
    hook(`put ${move.path}`);
    // Where files cannot be linked they are renamed: then a missing source means that it was put before.
    const put = exists(staged) ? putIfAbsent(staged, target) : samePrint(printOf(target), move.new);
    if (!put) throw new Obstacle(move.path, "something else was put there meanwhile");
  });
}

/** git keeps no empty folders: a folder that a deletion empties goes with it, up to the top. */
function dropEmptyFolders(journal: Journal, path: string): void {
  for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) {
    const gone = withParentOr(journal, folder, (target) => removeIfEmpty(target));
    if (gone !== true) return;
  }
}

function withParentOr<T>(journal: Journal, path: string, work: (target: string) => T): T | undefined {
  try {
    return withParent(journal, path, false, work);
  } catch (error) {
    if (error instanceof Obstacle) return undefined;
    throw error;
  }
}

const notEmpty = new Set(["ENOTEMPTY", "EEXIST", "ENOENT", "ENOTDIR", "EBUSY"]);

function removeIfEmpty(path: string): boolean {
  try {
    rmdirSync(path);
    return true;
  } catch (error) {
    const code = systemCode(error);
    if (code !== undefined && notEmpty.has(code)) return false;
    throw error;
  }
}

/** Before any file moves: an empty folder is nothing to git, so a death here leaves the old tree. */
function makeFolders(journal: Journal): void {
  for (const folder of journal.makes)
    withParentOr(journal, folder, (target) => {
      if (!exists(target)) mkdirSync(target);
    });
}

/** The same the other way round: emptied folders go once every file is where it belongs. */
function dropFolders(journal: Journal, below = ""): void {
  for (const move of journal.moves) if (!move.new && move.path.startsWith(below)) dropEmptyFolders(journal, move.path);
}

function forward(journal: Journal, location: JournalLocation, hook: StepHook): void {
  makeFolders(journal);
  for (const [index, move] of journal.moves.entries()) {
    if (move.old && !isPut(journal, location, index, move)) takeAway(journal, location, index, move, hook);
    if (!move.new) continue;
    // A file may take the place of a folder whose files have just gone.
    if (!move.old) dropFolders(journal, `${move.path}/`);
    putNew(journal, location, index, move, hook);
  }
  // An editor that held a file open may have written into it after we took it away.
  for (const [index, move] of journal.moves.entries())
    if (move.old && exists(location.taken(index)) && !samePrint(printOf(location.taken(index)), move.old))
      throw new Obstacle(move.path, "it was changed meanwhile");
  dropFolders(journal);
}

/** Undoes one half of a move. Returns the conflicts that block it. */
type TakeBack = (journal: Journal, location: JournalLocation, index: number, move: Move, hook: StepHook) => Conflict[];

/** Removes the new file, unless it has been changed since. */
const removeNew: TakeBack = (journal, location, index, move, hook) => {
  const edited = [{ path: move.path, why: "it was edited after the new version was put there" }];
  const found = withParentOr(journal, move.path, (target): Conflict[] => {
    const now = printOf(target);
    if (now === undefined) return [];
    const linked = sameFile(journal, location.staged(index), target);
    const begun = move.old === null || exists(location.taken(index));
    const ours = linked || (begun && !exists(location.staged(index)));
    if (!ours) return begun && move.old !== null ? edited : [];
    if (!samePrint(now, move.new)) return edited;
    hook(`remove ${move.path}`);
    if (!moveAway(target, location.gone(index))) return [];
    if (samePrint(printOf(location.gone(index)), move.new)) return [];
    putIfAbsent(location.gone(index), target);
    return edited;
  });
  return found ?? [];
};

const putBack: TakeBack = (journal, location, index, move, hook) => {
  const taken = location.taken(index);
  if (!exists(taken)) return [];
  const kept = [{ path: move.path, why: `the earlier version is kept in ${taken}` }];
  try {
    return withParent(journal, move.path, true, (target) => {
      hook(`restore ${move.path}`);
      if (!sameFile(journal, taken, target) && !putIfAbsent(taken, target)) return kept;
      if (exists(taken)) unlinkSync(taken);
      return [];
    });
  } catch (error) {
    // A file or a link is now in the place of a folder on the way.
    if (error instanceof Obstacle) return kept;
    throw error;
  }
};

function backward(journal: Journal, location: JournalLocation, hook: StepHook): Conflict[] {
  const conflicts: Conflict[] = [];
  for (const [index, move] of [...journal.moves.entries()].reverse()) {
    const before = conflicts.length;
    if (move.new) conflicts.push(...removeNew(journal, location, index, move, hook));
    if (conflicts.length === before && move.old) conflicts.push(...putBack(journal, location, index, move, hook));
    if (!move.old) for (const folder of journal.makes.toReversed()) withParentOr(journal, folder, removeIfEmpty);
  }
  return conflicts;
}

function syncTargets(journal: Journal): void {
  const folders = new Set(journal.moves.map((move) => dirname(move.path)));
  for (const folder of folders) syncExisting(journal, folder);
}

/** The folder, or the nearest one above it that still exists. */
function syncExisting(journal: Journal, folder: string): void {
  const path = folder === "." ? journal.top : `${journal.top}/${folder}`;
  try {
    syncFolder(path);
  } catch (error) {
    if (systemCode(error) !== "ENOENT" && systemCode(error) !== "ENOTDIR") throw error;
    syncExisting(journal, dirname(folder));
  }
}

/** Finishes the move; when the checkout differs from the journal, undoes it instead. Safe to repeat. */
export function carryOutMoves(journal: Journal, folder: JournalLocation, hook: StepHook = () => undefined): MoveResult {
  const location = withStagedName(folder, journal.top, journal.moves);
  const result = attempt(journal, location, hook);
  syncTargets(journal);
  hook(`close ${result.ending}`);
  closeJournal(location, result);
  return result;
}

const wordsOf = (error: unknown): string =>
  diskFailure(error)?.failure.message ?? (error instanceof Error ? error.message : String(error));

function attempt(journal: Journal, location: JournalLocation, hook: StepHook): MoveResult {
  try {
    forward(journal, location, hook);
    return { ending: "done", conflicts: [] };
  } catch (error) {
    // Every system error undoes the move; a step that cannot be undone stays journalled, and so does a bug.
    if (!(error instanceof Obstacle || error instanceof FailureError) && systemCode(error) === undefined) throw error;
    const why = error instanceof Obstacle ? error.conflict : { path: "", why: wordsOf(error) };
    const left = backward(journal, location, hook);
    return { ending: left.length > 0 ? "conflict" : "undone", conflicts: [why, ...left] };
  }
}
