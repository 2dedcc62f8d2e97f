// Where trees are checked out to be judged: never below the checkout. Many tools look for their configuration in every
// folder above the one they start in, and there the work under judgement would speak for itself.
import { accessSync, constants, lstatSync, mkdirSync, realpathSync, statfsSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import process from "node:process";

const isWithin = (folder: string, path: string): boolean => `${path}${sep}`.startsWith(`${folder}${sep}`);

/** Free bytes that a tree needs. A disk with less is used only when no other exists. */
const roomBytes = 256 << 20;

function hasRoom(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= roomBytes;
}

/** The folders that can be used, best first; the last one is beside the checkout. */
export function scratchBases(folders: readonly string[], top: string): string[] {
  const found = folders
    .map(usable)
    .filter((folder) => folder !== undefined)
    .filter((folder) => !isWithin(realpathSync(top), folder));
  const beside = join(dirname(top), ".thehood-scratch");
  return [...found.filter(hasRoom), ...found.filter((folder) => !hasRoom(folder)), beside];
}

/** The same, for one run. */
export const scratchRoots = (folders: readonly string[], top: string, runId: string): string[] =>
  scratchBases(folders, top).map((folder) => join(folder, runId));

export const scratchRoot = (folders: readonly string[], top: string, runId: string): string =>
  scratchRoots(folders, top, runId)[0] ?? join(dirname(top), ".thehood-scratch", runId);

/** The real place of a folder of ours that can be written, or nothing when there can be none. */
function usable(folder: string): string | undefined {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK);
    const owner = lstatSync(folder);
    const own = owner.isDirectory() && (process.getuid === undefined || owner.uid === process.getuid());
    return own ? realpathSync(folder) : undefined;
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}
