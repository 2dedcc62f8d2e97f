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

const touchedAt = (file: string): number | undefined => lstatSync(file, { throwIfNoEntry: false })?.ctimeMs;

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
  const watched = new Map(
    paths.filter((path) => setBack(join(dir, path))).map((path) => [path, touchedAt(join(dir, path))]),
  );
  return () =>
    [...watched].flatMap(([path, touched]) => {
      const at = readAt(join(dir, path));
      if (at === null) return [];
      // Code that sets the time of its read back touches the file, and that time nobody can set.
      return at !== longAgo.getTime() || touchedAt(join(dir, path)) !== touched ? [path] : [];
    });
}
