// Watches the files that judge while a check runs: tests, fixtures and everything that defines a check. The code under
// judgement runs in the same folder and could rewrite them before they are read.
import { lstatSync, readFileSync, readlinkSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listTree, readBlobs, type Repository, type TreeEntry } from "../../../platform/git/index.ts";
import { classifyPath, isProtectedPath } from "../../../core/patch/index.ts";

interface JudgeWatch {
  /** Files that are read-only while the check runs: as many as can be mounted without a delay. The others are compared. */
  readonly shut: readonly { readonly path: string; readonly from: string }[];
  /** The paths of files that differ from the tree. */
  changed(): Promise<string[]>;
}

const mostShut = 40;
const isShut = (path: string): boolean => {
  const { kinds } = classifyPath(path);
  return kinds.includes("test") || kinds.includes("runner") || kinds.includes("manifest");
};

/** A package manager brings its own lock up to date while it runs; what it resolved before stays as it was. */
const isWatched = (path: string): boolean => {
  const { kinds } = classifyPath(path);
  return isProtectedPath(path) && (!kinds.includes("lockfile") || kinds.includes("test"));
};

/** A test is read only by those who judge: one that was written and put back may have judged something else meanwhile. */
const isTestFile = (path: string): boolean =>
  /\.(?:[cm]?[jt]sx?|py|go|rs|rb|php|java|kts?|sh)$/.test(path) && classifyPath(path).kinds.includes("test");

interface Print {
  readonly entry: TreeEntry;
  readonly seen: string;
}

/** Size and times of a file; any write changes the time of its last change, which no program can set. */
function printOf(path: string): string {
  const stat = lstatSync(path, { throwIfNoEntry: false, bigint: true });
  return stat ? `${stat.ino} ${stat.size} ${stat.ctimeNs}` : "missing";
}

export async function watchJudge(
  repository: Repository,
  tree: string,
  dir: string,
  defines: readonly string[],
): Promise<JudgeWatch> {
  const named = new Set(defines);
  const prints: Print[] = (await listTree(repository, tree))
    .filter(({ path, mode }) => mode !== "160000" && (named.has(path) || isWatched(path)))
    .map((entry) => ({ entry, seen: printOf(join(dir, entry.path)) }));
  const shut = prints
    .filter(({ entry: { path, mode } }) => mode !== "120000" && (named.has(path) || isShut(path)))
    .map(({ entry: { path } }) => ({ path, from: join(dir, path) }));
  const open = new Set(shut.slice(mostShut).map(({ path }) => path));
  return {
    shut: shut.slice(0, mostShut),
    changed: () => changedSince(repository, dir, prints, (path) => open.has(path) && isTestFile(path)),
  };
}

function isSame(path: string, mode: string, blob: Uint8Array | undefined): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat || !blob) return false;
  if (mode === "120000") return stat.isSymbolicLink() && readlinkSync(path) === Buffer.from(blob).toString();
  return stat.isFile() && readFileSync(path).equals(blob);
}

/** The paths whose content differs afterwards from that of the tree. */
export async function watchRewrites(
  repository: Repository,
  tree: string,
  dir: string,
  paths: readonly string[],
): Promise<() => Promise<string[]>> {
  if (paths.length === 0) return () => Promise.resolve([]);
  const wanted = new Set(paths);
  const prints: Print[] = (await listTree(repository, tree))
    .filter(({ path, mode }) => wanted.has(path) && mode.startsWith("100"))
    .map((entry) => ({ entry, seen: printOf(join(dir, entry.path)) }));
  return () => changedSince(repository, dir, prints);
}

async function changedSince(
  repository: Repository,
  dir: string,
  prints: readonly Print[],
  isStrict: (path: string) => boolean = () => false,
): Promise<string[]> {
  const touched = prints.filter(({ entry, seen }) => printOf(join(dir, entry.path)) !== seen);
  const blobs = await readBlobs(
    repository,
    touched.map(({ entry }) => entry.object),
  );
  return touched
    .filter(({ entry }, index) => isStrict(entry.path) || !isSame(join(dir, entry.path), entry.mode, blobs[index]))
    .map(({ entry }) => entry.path);
}

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

/** Returns the ones that were read since, or null where the system does not record it. */
export function watchReads(dir: string, paths: readonly string[]): () => string[] | null {
  if (paths.length === 0 || !keepsReadTimes(dir)) return () => (paths.length === 0 ? [] : null);
  const watched = new Map(
    paths.filter((path) => setBack(join(dir, path))).map((path) => [path, touchedAt(join(dir, path))]),
  );
  return () =>
    [...watched].flatMap(([path, touched]) => {
      const at = readAt(join(dir, path));
      if (at === null) return [];
      // Code that resets the time of its read changes the file's ctime, which cannot be set.
      return at !== longAgo.getTime() || touchedAt(join(dir, path)) !== touched ? [path] : [];
    });
}
