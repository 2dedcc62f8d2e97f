// Where trees are checked out to be judged: never below the checkout. Many tools look for their configuration in every
// folder above the one they start in, and there the work under judgement would speak for itself.
import { accessSync, constants, lstatSync, mkdirSync, realpathSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join, sep } from "node:path";
import process from "node:process";

const isWithin = (folder: string, path: string): boolean => `${path}${sep}`.startsWith(`${folder}${sep}`);

export function scratchRoot(top: string, runId: string): string {
  const cache = process.env["XDG_CACHE_HOME"];
  const places = [
    join(cache?.startsWith("/") ? cache : join(homedir(), ".cache"), "thehood", "scratch"),
    join(tmpdir(), `thehood-scratch-${process.getuid?.() ?? "user"}`),
  ];
  const found = places
    .map(usable)
    .find((place) => place !== undefined && !isWithin(realpathSync(top), place));
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
