// Which of some files a check reads. The system keeps the time of the last read of each file; it is set back before the
// check runs and looked at afterwards.
import { lstatSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Long before any read. */
const longAgo = new Date(1_000);

const readAt = (file: string): number | null => {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  return stat?.isFile() ? stat.atimeMs : null;
};

function setBack(file: string): boolean {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (!stat?.isFile()) return false;
  utimesSync(file, longAgo, stat.mtime);
  return true;
}

/** Some file systems keep no such times. */
function keepsReadTimes(dir: string): boolean {
  const probe = join(dir, ".git", "read-probe");
  writeFileSync(probe, "x");
  setBack(probe);
  readFileSync(probe);
  const kept = readAt(probe) !== longAgo.getTime();
  rmSync(probe);
  return kept;
}

/** Gives the ones that were read since, or null where the system does not tell. */
export function watchReads(dir: string, paths: readonly string[]): () => string[] | null {
  if (paths.length === 0 || !keepsReadTimes(dir)) return () => (paths.length === 0 ? [] : null);
  const watched = paths.filter((path) => setBack(join(dir, path)));
  return () =>
    watched.filter((path) => {
      const at = readAt(join(dir, path));
      return at !== null && at !== longAgo.getTime();
    });
}
