// Where trees are checked out to be judged: never below the checkout. Many tools look for their configuration in every
// folder above the one they start in, and there the work under judgement would speak for itself.
import { accessSync, constants, lstatSync, mkdirSync, realpathSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import process from "node:process";

const isWithin = (folder: string, path: string): boolean => `${path}${sep}`.startsWith(`${folder}${sep}`);

/** The folder of a run in the first of the given folders that can be used, else beside the checkout. */
export function scratchRoot(folders: readonly string[], top: string, runId: string): string {
  const found = folders
    .map(usable)
    .find((folder) => folder !== undefined && !isWithin(realpathSync(top), folder));
  return join(found ?? join(dirname(top), ".thehood-scratch"), runId);
}

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
