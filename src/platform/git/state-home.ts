// Where the state of a checkout lies: in git's common folder, out of the reach of `git clean` and `git stash`. The name
// `.thehood` in the checkout is a link to it. State of older versions lies in the checkout itself until it is moved.
import { existsSync, readdirSync, readlinkSync, renameSync, rmdirSync, rmSync, symlinkSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { entryAt, makeFolder, syncFolder, systemCode } from "../system/index.ts";
import type { Repository } from "./locate.ts";

const markOf = ({ top }: Repository): string => join(top, ".thehood");

/** A linked worktree of the user's has runs of its own. */
function homeOf({ gitDir, commonDir }: Repository): string {
  const home = join(commonDir, "thehood");
  return gitDir === commonDir ? home : join(home, "linked", basename(gitDir));
}

const hasStore = (folder: string): boolean => existsSync(join(folder, "store.db"));

/** State of an older version that was not moved yet, or could not be: its folder may be a disk of its own. */
const isStillThere = (repository: Repository): boolean =>
  entryAt(markOf(repository))?.isDirectory() === true &&
  hasStore(markOf(repository)) &&
  !hasStore(homeOf(repository));

/** The folder of the state as it is now. Nothing is made or moved. */
export const stateHome = (repository: Repository): string =>
  isStillThere(repository) ? markOf(repository) : homeOf(repository);

/** Where the link leads; undefined when there is none. It is read and never followed. */
function linkTarget(repository: Repository): string | undefined {
  const mark = markOf(repository);
  if (entryAt(mark)?.isSymbolicLink() !== true) return undefined;
  return resolve(repository.top, readlinkSync(mark));
}

/** A copy of a repository may bring the link to the state of the first one. */
const isStateOfACopy = (target: string): boolean => /\/\.git\/thehood(?:\/linked\/[^/]+)?$/.test(target);

/** Whether `.thehood` is a link that we made. */
export function isOwnLink(repository: Repository): boolean {
  const target = linkTarget(repository);
  return target !== undefined && (target === homeOf(repository) || isStateOfACopy(target));
}

/** Makes the folder of the state, with older state moved into it. */
export function settleState(repository: Repository): string {
  const home = homeOf(repository);
  makeAll(dirname(home));
  if (entryAt(markOf(repository))?.isDirectory() === true) adopt(markOf(repository), home);
  if (isStillThere(repository)) return markOf(repository);
  makeFolder(home);
  return home;
}

function makeAll(folder: string): void {
  if (entryAt(folder)) return;
  makeAll(dirname(folder));
  makeFolder(folder);
}

/** A folder that is a mount, or lies on another disk, stays as it is. */
const stays = new Set(["EXDEV", "EBUSY", "EPERM", "EACCES", "EROFS", "ENOTEMPTY", "EEXIST", "ENOENT"]);

function tryTo(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!stays.has(systemCode(error) ?? "")) throw error;
  }
}

/** In one step where there is no state yet; else each file that has no namesake there, with the store last. */
function adopt(mark: string, home: string): void {
  if (!entryAt(home)) tryTo(() => renameSync(mark, home));
  if (!entryAt(mark)) {
    syncFolder(dirname(home));
    syncFolder(dirname(mark));
    return;
  }
  if (hasStore(mark)) return;
  for (const name of readdirSync(mark))
    if (!entryAt(join(home, name))) tryTo(() => renameSync(join(mark, name), join(home, name)));
  tryTo(() => rmdirSync(mark));
}

/** The link is for people and their tools; the runtime never follows it. */
export function showState(repository: Repository): void {
  const mark = markOf(repository);
  const home = homeOf(repository);
  if (!entryAt(home)) return;
  const target = linkTarget(repository);
  if (target !== undefined && target !== home && isStateOfACopy(target)) tryTo(() => rmSync(mark));
  if (entryAt(mark)) return;
  const near = relative(repository.top, home);
  tryTo(() => symlinkSync(near.startsWith("..") ? home : near, mark, "junction"));
}
