// Brings a private index up to the files of a folder as they are, and writes its tree.
import { readdirSync, readFileSync, renameSync, rmSync, type Stats, copyFileSync, statSync, utimesSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { entryAt } from "../../../platform/system/index.ts";
import {
  fromBytePath,
  git,
  isUtf8,
  joinRecords,
  splitRecords,
  type BytePath,
  type GitOptions,
  type Repository,
} from "../../../platform/git/index.ts";

/**
 * git compares a file's time with the index file's own time to know when equal times prove nothing. A copy must not be
 * younger than the original; a little older only makes git read more files.
 */
export function copyIndex(from: string, to: string): void {
  copyFileSync(from, to);
  const seconds = (Math.floor(statSync(from).mtimeMs) - 1) / 1000;
  utimesSync(to, seconds, seconds);
}

/** How git is asked about a folder of files: the main repository's objects, our index, no trust in the folder itself. */
export interface Lens {
  readonly repository: Repository;
  readonly workTree: string;
  readonly indexFile: string;
  readonly signal?: AbortSignal;
}

export function through(lens: Lens, more: Partial<GitOptions> = {}): GitOptions {
  const { repository, workTree, indexFile, signal } = lens;
  // The user's git wrote the files of the checkout, by the user's settings on line ends. A worktree of ours has the bytes of the tree.
  const around = { workTree, indexFile, convertLineEndings: workTree === repository.top };
  return { ...around, config: forced, timeoutMs: 600_000, ...(signal ? { signal } : {}), ...more };
}

/** The worktree is on our file system: modes and links are real there, whatever the repository's settings. */
const forced = [
  ["core.fileMode", "true"],
  ["core.symlinks", "true"],
  ["core.ignoreCase", "false"],
  ["core.sparseCheckout", "false"],
] as const;

export interface Staged {
  readonly tree: string;
  readonly embedded: readonly BytePath[];
  readonly skipped: { path: string; bytes: number }[];
}

/** The paths that differ from the index: changed, gone, and not in it. */
export const unlikeIndex = ["ls-files", "-z", "-t", "-m", "-d", "-o", "--exclude-standard"];

/** Brings the lens's index up to the files as they are and writes its tree, unless it is the one that was just written of it. */
export async function stageEverything(
  lens: Lens,
  known: readonly BytePath[],
  maxFileBytes: number,
  written?: string,
): Promise<Staged> {
  const listed = splitRecords((await git(lens.repository, unlikeIndex, through(lens))).stdout);
  const [others, changed] = [true, false].map((unknown) =>
    listed.filter((record) => record.startsWith("? ") === unknown).map((record) => record.slice(2)),
  ) as [BytePath[], BytePath[]];
  const embedded = others.filter((path) => path.endsWith("/"));
  const inEmbedded = await filesOfEmbedded(lens, embedded);
  // A repository that the worker staged as a link is a folder here, and counts as one inside the worktree.
  const files = known.filter((path) => !fileAt(lens.workTree, path)?.isDirectory());
  const candidates = new Set([...changed, ...others, ...inEmbedded, ...files]);
  const skipped: { path: string; bytes: number }[] = [];
  const paths = [...candidates].filter((path) => {
    if (path.endsWith("/")) return false;
    const found = fileAt(lens.workTree, path);
    const tooLarge = found?.isFile() === true && found.size > maxFileBytes;
    if (tooLarge) skipped.push({ path: fromBytePath(path), bytes: found.size });
    return !tooLarge;
  });
  if (paths.length === 0 && written !== undefined) return { tree: written, embedded, skipped };
  await bringUpToDate(lens, paths);
  const { stdout } = await git(lens.repository, ["write-tree"], through(lens));
  return { tree: stdout.toString("latin1").trim(), embedded, skipped };
}

/** Brings the lens's index up to the tracked files and to these paths, and writes its tree. Other files are left out. */
export async function stageTracked(lens: Lens, known: readonly BytePath[]): Promise<string> {
  const listed = await git(lens.repository, ["ls-files", "-z", "-m", "-d"], through(lens));
  const files = known.filter((path) => !fileAt(lens.workTree, path)?.isDirectory());
  await bringUpToDate(lens, [...new Set([...splitRecords(listed.stdout), ...files])]);
  const { stdout } = await git(lens.repository, ["write-tree"], through(lens));
  return stdout.toString("latin1").trim();
}

async function bringUpToDate(lens: Lens, paths: readonly BytePath[]): Promise<void> {
  const update = (args: readonly string[], stdin: Buffer) =>
    git(lens.repository, ["update-index", "-z", ...args], through(lens, { stdin }));
  const behind = await behindLinks(lens, paths);
  const none = "0".repeat(40);
  // By name, and first: git looks through a link that took a folder's place, and then refuses what it sees there.
  if (behind.length > 0) await update(["--index-info"], joinRecords(behind.map((path) => `0 ${none}\t${path}`)));
  const gone = new Set(behind);
  const rest = paths.filter((path) => !gone.has(path));
  if (rest.length > 0) await update(["--add", "--remove", "--stdin"], joinRecords(rest));
}

/** The entries of the index below a name that is a link by now. */
async function behindLinks(lens: Lens, paths: readonly BytePath[]): Promise<BytePath[]> {
  const links = paths.filter((path) => fileAt(lens.workTree, path)?.isSymbolicLink());
  if (links.length === 0) return [];
  const { stdout } = await git(lens.repository, ["ls-files", "-z"], through(lens));
  const folders = new Set(links.map((link) => `${link}/`));
  return splitRecords(stdout).filter((path) => foldersOf(path).some((folder) => folders.has(folder)));
}

function foldersOf(path: BytePath): BytePath[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => `${parts.slice(0, index + 1).join("/")}/`);
}

/** The tree of the index that this process kept last, by what the index was copied from. */
const lastTrees = new Map<string, string>();
const keptIndex = (origin: string, tree: string) => `${origin}.${tree}`;

/** Keeps the index that a capture made, under the name of its tree, until the next one or the end of the worktree. */
export function keepIndex({ indexFile }: Lens, origin: string, tree: string): void {
  const before = lastTrees.get(origin);
  if (before !== undefined && before !== tree) rmSync(keptIndex(origin, before), { force: true });
  renameSync(indexFile, keptIndex(origin, tree));
  lastTrees.set(origin, tree);
}

/**
 * The last capture, if nothing at all differs from it by now: no file changed, none gone, none new, and none that
 * is ignored. The index that an earlier process kept is not believed: a crash may have left half of it.
 */
export async function stagedBefore(lens: Lens, origin: string): Promise<Staged | undefined> {
  const tree = lastTrees.get(origin);
  const indexFile = keptIndex(origin, tree ?? "");
  if (tree === undefined || !entryAt(indexFile)?.isFile()) return undefined;
  const options = through({ ...lens, indexFile }, { accept: [0, 128] });
  const everything = unlikeIndex.filter((word) => word !== "--exclude-standard");
  const { exitCode, stdout } = await git(lens.repository, everything, options);
  return exitCode === 0 && stdout.length === 0 ? { tree, embedded: [], skipped: [] } : undefined;
}

/** Removes what was kept, also by a process that died. */
export function dropIndexes(origin: string): void {
  lastTrees.delete(origin);
  const [folder, start] = [dirname(origin), `${basename(origin)}.`];
  for (const name of readdirSync(folder))
    if (name.startsWith(start) && /^(?:capture(?:\.lock)?|[0-9a-f]{40,64})$/.test(name.slice(start.length)))
      rmSync(join(folder, name), { force: true });
}

export function sameFile(one: string, other: string): boolean {
  if (!entryAt(one)?.isFile() || !entryAt(other)?.isFile()) return false;
  return readFileSync(one).equals(readFileSync(other));
}

export function fileAt(folder: string, path: BytePath): Stats | undefined {
  return entryAt(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, "latin1")]));
}

/** A repository inside the worktree: git would make a bare link of it; we take its files. */
async function filesOfEmbedded(lens: Lens, embedded: readonly BytePath[]): Promise<BytePath[]> {
  let found: BytePath[] = [];
  for (const folder of embedded) {
    const inner: Lens = {
      ...lens,
      workTree: join(lens.workTree, fromBytePath(folder)),
      indexFile: `${lens.indexFile}.none`,
    };
    if (!isUtf8(folder)) continue;
    const listed = await git(lens.repository, ["ls-files", "-z", "-o", "--exclude-standard"], through(inner));
    const paths = splitRecords(listed.stdout).map((path) => folder + path);
    const inside = paths.filter((path) => path.endsWith("/"));
    found = [...found, ...paths, ...(await filesOfEmbedded(lens, inside))];
  }
  return found;
}
