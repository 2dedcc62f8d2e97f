// Everything a worker did, measured against the base commit: commits, index, unstaged and untracked files, as one tree.
// The worker's own git folder is read for names only; the work is captured with an index it never could touch.
import { existsSync, readFileSync, readlinkSync, rmSync, type Stats } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { entryAt } from "../../system/index.ts";
import {
  fromBytes,
  git,
  isUtf8,
  joinRecords,
  parseRaw,
  splitRecords,
  type BytePath,
  type GitOptions,
  type RawChange,
  type Repository,
} from "../git/index.ts";
import { comparePrints, printGitDir } from "./git-dir-guard.ts";
import { copyIndex } from "./index-copy.ts";
import { insistSameFolder, placeOf, type Worktree } from "./record.ts";
import { resolveCommit } from "./describe.ts";
import { diffTrees, listChanges } from "./diff.ts";

export interface CapturedChange {
  readonly path: string;
  readonly status: "added" | "modified" | "deleted" | "type_changed";
  readonly oldMode: string;
  readonly newMode: string;
}

export interface CaptureFlags {
  readonly symlinks: readonly {
    readonly path: string;
    readonly target: string;
    readonly leavesRepository: boolean;
  }[];
  readonly submodules: readonly string[];
  readonly modeChanges: readonly string[];
  readonly embeddedRepositories: readonly string[];
  /** Names that are not UTF-8; the patch holds them byte for byte. */
  readonly oddNames: readonly string[];
  /** Not captured: ignored by the repository's rules. At most `ignoredLimit` are named. */
  readonly ignored: readonly string[];
  readonly ignoredTotal: number;
  /** Not captured: too large. The worktree is then not removed. */
  readonly skipped: readonly { readonly path: string; readonly bytes: number }[];
  /** Files of the common git folder that changed since the worktree was made: hooks, config, … */
  readonly gitDirTouched: readonly string[];
}

export interface Capture {
  readonly baseCommit: string;
  readonly baseTree: string;
  /** The tree of the final state. Equal to baseTree when nothing changed. */
  readonly tree: string;
  /** `git diff --binary --full-index` from the base tree to `tree`, byte for byte. */
  readonly patch: Buffer;
  readonly changes: readonly CapturedChange[];
  /** Where the worker's HEAD points, when it can be read. */
  readonly workerHead: string | null;
  /** The tree of the worker's index, when it holds something that is in neither tree. */
  readonly stagedTree: string | null;
  readonly flags: CaptureFlags;
}

export interface CaptureOptions {
  readonly maxFileBytes?: number;
  readonly signal?: AbortSignal;
  /** Whether to name what is ignored; default true. It is never part of what is kept. */
  readonly ignored?: boolean;
}

const ignoredLimit = 200;
const defaultMaxFileBytes = 256 << 20;

/** How git is asked about a folder of files: the main repository's objects, our index, no trust in the folder itself. */
export interface Lens {
  readonly repository: Repository;
  readonly workTree: string;
  readonly indexFile: string;
  readonly signal?: AbortSignal;
}

function through(lens: Lens, more: Partial<GitOptions> = {}): GitOptions {
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

export async function captureChanges(worktree: Worktree, options: CaptureOptions = {}): Promise<Capture> {
  insistSameFolder(worktree);
  const { repository, path, record, baseCommit, baseTree } = worktree;
  const place = placeOf(repository, worktree.runId, worktree.name);
  const indexFile = `${place.pristineIndex}.capture`;
  copyIndex(place.pristineIndex, indexFile);
  const lens: Lens = {
    repository,
    workTree: path,
    indexFile,
    ...(options.signal ? { signal: options.signal } : {}),
  };
  try {
    const workerHead = await headOf(repository, record.adminDir);
    const workerIndex = join(record.adminDir, "index");
    // A worker that never staged anything has the index it was given, byte for byte.
    const untouched = sameFile(workerIndex, place.pristineIndex);
    const known = await workerAdditions(lens, baseCommit, workerHead, untouched ? undefined : workerIndex);
    const staged = await stageEverything(lens, known, options.maxFileBytes ?? defaultMaxFileBytes);
    const stagedTree = untouched ? baseTree : await treeOfIndex(lens, workerIndex);
    return {
      baseCommit,
      baseTree,
      workerHead,
      stagedTree: stagedTree === staged.tree || stagedTree === baseTree ? null : stagedTree,
      ...(await describe(lens, baseTree, staged)),
      tree: staged.tree,
    };
  } finally {
    for (const file of [indexFile, `${indexFile}.lock`]) rmSync(file, { force: true });
  }

  async function describe(lens: Lens, from: string, staged: Staged) {
    const raw = await listChanges(repository, from, staged.tree);
    const ignoredPaths = options.ignored === false ? [] : await ignoredIn(lens);
    const flags: CaptureFlags = {
      ...flagsOf(path, raw),
      embeddedRepositories: staged.embedded.map(fromBytes),
      skipped: staged.skipped,
      ignored: ignoredPaths.slice(0, ignoredLimit),
      ignoredTotal: ignoredPaths.length,
      gitDirTouched: comparePrints(record.gitDirPrint, printGitDir(repository)),
    };
    return { patch: await diffTrees(repository, from, staged.tree), changes: raw.map(asChange), flags };
  }
}

async function ignoredIn(lens: Lens): Promise<string[]> {
  const args = ["ls-files", "-z", "-o", "-i", "--exclude-standard", "--directory"];
  return splitRecords((await git(lens.repository, args, through(lens))).stdout).map(fromBytes);
}

function sameFile(one: string, other: string): boolean {
  if (!entryAt(one)?.isFile() || !entryAt(other)?.isFile()) return false;
  return readFileSync(one).equals(readFileSync(other));
}

/** Where a worktree's HEAD leads, read from its file; the objects lie in the shared store. */
async function headOf(repository: Repository, adminDir: string): Promise<string | null> {
  const file = join(adminDir, "HEAD");
  if (!entryAt(file)?.isFile()) return null;
  const text = readFileSync(file, "latin1").trim();
  const name = text.startsWith("ref: ") ? text.slice(5) : text;
  if (!/^(refs\/[\x21-\x7e]+|[0-9a-f]{40,64})$/.test(name)) return null;
  return (await resolveCommit(repository, name)) ?? null;
}

/** Paths the worker committed or staged that the base does not have: they count even where a rule ignores them. */
async function workerAdditions(
  lens: Lens,
  base: string,
  head: string | null,
  workerIndex: string | undefined,
): Promise<BytePath[]> {
  const { repository } = lens;
  const found: BytePath[] = [];
  if (head !== null && head !== base)
    found.push(
      ...(await listChanges(repository, base, head)).filter((c) => c.status === "A").map((c) => c.path),
    );
  if (workerIndex === undefined || !entryAt(workerIndex)?.isFile()) return found;
  const args = ["diff-index", "--cached", "--raw", "-z", "--no-renames", "--diff-filter=A", base];
  const listed = await git(repository, args, {
    ...through(lens),
    indexFile: workerIndex,
    accept: [0, 1, 128],
  });
  return listed.exitCode === 0 ? [...found, ...parseRaw(listed.stdout).map((change) => change.path)] : found;
}

async function treeOfIndex(lens: Lens, workerIndex: string): Promise<string | null> {
  if (!existsSync(workerIndex)) return null;
  const options = { ...through(lens), indexFile: workerIndex, accept: [0, 1, 128] };
  const { exitCode, stdout } = await git(lens.repository, ["write-tree"], options);
  return exitCode === 0 ? stdout.toString("latin1").trim() : null;
}

export interface Staged {
  readonly tree: string;
  readonly embedded: readonly BytePath[];
  readonly skipped: { path: string; bytes: number }[];
}

/** Brings the lens's index up to the files as they are and writes its tree. */
export async function stageEverything(
  lens: Lens,
  known: readonly BytePath[],
  maxFileBytes: number,
): Promise<Staged> {
  const listing = ["ls-files", "-z", "-t", "-m", "-d", "-o", "--exclude-standard"];
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
  const stdin = joinRecords(paths);
  await git(
    lens.repository,
    ["update-index", "-z", "--add", "--remove", "--stdin"],
    through(lens, { stdin }),
  );
  const { stdout } = await git(lens.repository, ["write-tree"], through(lens));
  return { tree: stdout.toString("latin1").trim(), embedded, skipped };
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

const statusWords = { A: "added", M: "modified", D: "deleted", T: "type_changed" } as const;

function asChange(raw: RawChange): CapturedChange {
  const status = statusWords[raw.status as keyof typeof statusWords] ?? "modified";
  return { path: fromBytes(raw.path), status, oldMode: raw.oldMode, newMode: raw.newMode };
}

const none = "000000";

function flagsOf(folder: string, changes: readonly RawChange[]) {
  const has = (mode: string) => (change: RawChange) => change.newMode === mode || change.oldMode === mode;
  return {
    symlinks: changes
      .filter((change) => change.newMode === "120000")
      .map((change) => linkAt(folder, change.path)),
    submodules: changes.filter(has("160000")).map((change) => fromBytes(change.path)),
    modeChanges: changes
      .filter(
        (change) => change.oldMode !== change.newMode && change.oldMode !== none && change.newMode !== none,
      )
      .map((change) => fromBytes(change.path)),
    oddNames: changes.filter((change) => !isUtf8(change.path)).map((change) => fromBytes(change.path)),
  };
}

function linkAt(folder: string, path: BytePath) {
  const shown = fromBytes(path);
  const bytes = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, "latin1")]);
  const target = readlinkSync(bytes, "utf8");
  const end = normalize(join(dirname(shown), target));
  return {
    path: shown,
    target,
    leavesRepository: target.startsWith("/") || end === ".." || end.startsWith("../"),
  };
}
