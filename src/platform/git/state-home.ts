// The state folder of a checkout: in git's common folder, where `git clean` and `git stash` do not reach. The name
// `.thehood` in the checkout is a link to it.
import { readdirSync, readlinkSync, renameSync, rmdirSync, rmSync, symlinkSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { entryAt, makeFolder, systemCode } from "../system/index.ts";
import type { Repository } from "./locate.ts";

const markOf = ({ top }: Repository): string => join(top, ".thehood");

/** The path alone: nothing is made or moved. A linked worktree has runs of its own. */
export function stateHome({ gitDir, commonDir }: Repository): string {
  const home = join(commonDir, "thehood");
  return gitDir === commonDir ? home : join(home, "linked", basename(gitDir));
}

/** The target of the link; undefined when it does not exist. It is read and never followed. */
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
  return target !== undefined && (target === stateHome(repository) || isStateOfACopy(target));
}

/** Makes the folder of the state. The files of a `.thehood` folder that the user made move into it. */
export function settleState(repository: Repository): string {
  const home = stateHome(repository);
  makeAll(home);
  if (entryAt(markOf(repository))?.isDirectory() === true) adopt(markOf(repository), home);
  return home;
}

function makeAll(folder: string): void {
  if (entryAt(folder)) return;
  makeAll(dirname(folder));
  makeFolder(folder);
}

/** A folder that is a mount, or is on another disk, stays as it is. */
const stays = new Set(["EXDEV", "EBUSY", "EPERM", "EACCES", "EROFS", "ENOTEMPTY", "EEXIST", "ENOENT"]);

function tryTo(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!stays.has(systemCode(error) ?? "")) throw error;
  }
}

/** Each file without a namesake in the state folder moves. A folder with a store, or with runs of the preview, stays. */
function adopt(mark: string, home: string): void {
  if (entryAt(join(mark, "store.db")) ?? entryAt(join(mark, "runs"))) return;
  for (const name of readdirSync(mark))
    if (!entryAt(join(home, name))) tryTo(() => renameSync(join(mark, name), join(home, name)));
  tryTo(() => rmdirSync(mark));
}

/** The link is for people and their tools; the runtime never follows it. */
export function showState(repository: Repository): void {
  const mark = markOf(repository);
  const home = stateHome(repository);
  if (!entryAt(home)) return;
  const target = linkTarget(repository);
  if (target !== undefined && target !== home && isStateOfACopy(target)) tryTo(() => rmSync(mark));
  if (entryAt(mark)) return;
  const near = relative(repository.top, home);
  tryTo(() => symlinkSync(near.startsWith("..") ? home : near, mark, "junction"));
}
