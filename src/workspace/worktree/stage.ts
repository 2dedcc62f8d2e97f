// Brings a private index up to the files of a folder as they are, and writes its tree.
import { readdirSync, renameSync, rmSync, type Stats } from "node:fs";
import { basename, dirname, join } from "node:path";
import { entryAt } from "../../system/index.ts";
import {
  fromBytes,
  git,
  isUtf8,
  joinRecords,
  splitRecords,
  type BytePath,
  type GitOptions,
  type Repository,
} from "../git/index.ts";

/** How git is asked about a folder of files: the main repository's objects, our index, no trust in the folder itself. */
export interface Lens {
  readonly repository: Repository;
  readonly workTree: string;
  readonly indexFile: string;
  readonly signal?: AbortSignal;
}

export function through(lens: Lens, more: Partial<GitOptions> = {}): GitOptions {
  const { workTree, indexFile, signal } = lens;
  return { workTree, indexFile, config: forced, timeoutMs: 600_000, ...(signal ? { signal } : {}), ...more };
}

/** The worktree is ours and on our file system: modes and links are real there, whatever the repository says. */
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

/** What differs from the index: changed, gone, and not in it. */
const listing = ["ls-files", "-z", "-t", "-m", "-d", "-o", "--exclude-standard"];

/** Brings the lens's index up to the files as they are and writes its tree. */
export async function stageEverything(
  lens: Lens,
  known: readonly BytePath[],
  maxFileBytes: number,
): Promise<Staged> {
  const listed = splitRecords((await git(lens.repository, listing, through(lens))).stdout);
  const [others, changed] = [true, false].map((unknown) =>
    listed.filter((record) => record.startsWith("? ") === unknown).map((record) => record.slice(2)),
  ) as [BytePath[], BytePath[]];
  const embedded = others.filter((path) => path.endsWith("/"));
  const inEmbedded = await filesOfEmbedded(lens, embedded);
  const candidates = new Set([...changed, ...others, ...inEmbedded, ...known]);
  const skipped: { path: string; bytes: number }[] = [];
  const paths = [...candidates].filter((path) => {
    if (path.endsWith("/")) return false;
    const found = fileAt(lens.workTree, path);
    const tooLarge = found?.isFile() === true && found.size > maxFileBytes;
    if (tooLarge) skipped.push({ path: fromBytes(path), bytes: found.size });
    return !tooLarge;
  });
  if (paths.length > 0)
    await git(
      lens.repository,
      ["update-index", "-z", "--add", "--remove", "--stdin"],
      through(lens, { stdin: joinRecords(paths) }),
    );
  const { stdout } = await git(lens.repository, ["write-tree"], through(lens));
  return { tree: stdout.toString("latin1").trim(), embedded, skipped };
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
 * What was captured last, if nothing at all differs from it by now: no file changed, none gone, none new. What an earlier
 * process kept is not believed: a crash may have left half of it.
 */
export async function stagedBefore(lens: Lens, origin: string): Promise<Staged | undefined> {
  const tree = lastTrees.get(origin);
  const indexFile = keptIndex(origin, tree ?? "");
  if (tree === undefined || !entryAt(indexFile)?.isFile()) return undefined;
  const options = through({ ...lens, indexFile }, { accept: [0, 128] });
  const { exitCode, stdout } = await git(lens.repository, listing, options);
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

function fileAt(folder: string, path: BytePath): Stats | undefined {
  return entryAt(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, "latin1")]));
}

/** A repository inside the worktree: git would make a bare link of it; we take its files. */
async function filesOfEmbedded(lens: Lens, embedded: readonly BytePath[]): Promise<BytePath[]> {
  const found: BytePath[] = [];
  for (const folder of embedded) {
    const inner: Lens = {
      ...lens,
      workTree: join(lens.workTree, fromBytes(folder)),
      indexFile: `${lens.indexFile}.none`,
    };
    if (!isUtf8(folder)) continue;
    const listed = await git(lens.repository, ["ls-files", "-z", "-o", "--exclude-standard"], through(inner));
    const paths = splitRecords(listed.stdout).map((path) => folder + path);
    found.push(
      ...paths,
      ...(await filesOfEmbedded(
        lens,
        paths.filter((path) => path.endsWith("/")),
      )),
    );
  }
  return found;
}
