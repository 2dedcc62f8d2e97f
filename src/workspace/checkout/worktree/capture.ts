// Everything a worker did, measured against the base commit: commits, index, unstaged and untracked files, as one tree.
// The worker's own git folder is read for names only; the work is captured with an index it never could touch.
import { existsSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { entryAt } from "../../../platform/system/index.ts";
import {
  fromBytePath,
  git,
  isUtf8,
  parseRaw,
  type BytePath,
  type RawChange,
  type Repository,
} from "../../../platform/git/index.ts";
import { findIgnored } from "./ignored.ts";
import {
  copyIndex,
  keepIndex,
  sameFile,
  stageEverything,
  stagedBefore,
  through,
  type Lens,
  type Staged,
} from "./stage.ts";
import { insistSameFolder, recordLocation, type Worktree } from "./record.ts";
import { resolveCommit } from "./describe.ts";
import { compareTrees, listChanges } from "./diff.ts";
import { stashesOf } from "./stash.ts";

interface CapturedChange {
  readonly path: string;
  readonly status: "added" | "modified" | "deleted" | "type_changed";
  readonly oldMode: string;
  readonly newMode: string;
}

interface CaptureFlags {
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
  /** Not captured: too large. The worktree is then not removed. */
  readonly skipped: readonly { readonly path: string; readonly bytes: number }[];
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
  /** Commits the worker's HEAD stood at and left again: nothing else may lead to them. */
  readonly leftCommits: readonly string[];
  /** Work that the worker set aside with `git stash`. */
  readonly stashes: readonly string[];
  /** Files that are ignored, and so no part of the work. Looked for only at the end, before they would be removed. */
  readonly ignored: readonly string[];
  readonly flags: CaptureFlags;
}

interface CaptureOptions {
  readonly maxFileBytes?: number;
  readonly signal?: AbortSignal;
  /** The worktree is about to be removed: a change since the last capture is unlikely, so that is checked before
   * everything is staged anew; and ignored files count. */
  readonly last?: boolean;
}

const defaultMaxFileBytes = 256 << 20;

export async function captureChanges(worktree: Worktree, options: CaptureOptions = {}): Promise<Capture> {
  insistSameFolder(worktree);
  const { repository, path, record, baseCommit, baseTree } = worktree;
  const location = recordLocation(repository, worktree.runId, worktree.name);
  const indexFile = `${location.pristineIndex}.capture`;
  copyIndex(location.pristineIndex, indexFile);
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
    const untouched = sameFile(workerIndex, location.pristineIndex);
    const known = await workerAdditions(lens, baseCommit, workerHead, untouched ? undefined : workerIndex);
    const plain = known.length === 0;
    const before = plain && options.last ? await stagedBefore(lens, location.pristineIndex) : undefined;
    const staged = before ?? (await stageEverything(lens, known, options.maxFileBytes ?? defaultMaxFileBytes));
    const ignored = options.last && !before ? await findIgnored(lens) : { paths: [], tooMuch: false };
    if (ignored.tooMuch) staged.skipped.push({ path: "what the repository ignores", bytes: 0 });
    // Where files count that git would not list, the index alone does not show whether anything changed.
    if (plain && !options.last && staged.embedded.length === 0 && staged.skipped.length === 0)
      keepIndex(lens, location.pristineIndex, staged.tree);
    const stagedTree = untouched ? baseTree : await treeOfIndex(lens, workerIndex);
    const left = await leftCommits(repository, record.adminDir, [baseCommit, workerHead ?? ""]);
    return {
      baseCommit,
      baseTree,
      workerHead,
      stagedTree: stagedTree === staged.tree || stagedTree === baseTree ? null : stagedTree,
      leftCommits: left,
      stashes: await stashesOf(worktree, [baseCommit, workerHead ?? "", ...left]),
      ignored: ignored.paths,
      ...(await describe(baseTree, staged)),
      tree: staged.tree,
    };
  } finally {
    for (const file of [indexFile, `${indexFile}.lock`]) rmSync(file, { force: true });
  }

  async function describe(from: string, staged: Staged) {
    const { changes, patch } = await compareTrees(repository, from, staged.tree);
    const flags: CaptureFlags = {
      ...flagsOf(path, changes),
      embeddedRepositories: staged.embedded.map(fromBytePath),
      skipped: staged.skipped,
    };
    return { patch, changes: changes.map(asChange), flags };
  }
}

/** Where a worktree's HEAD leads, read from its file; the objects are in the shared object store. */
async function headOf(repository: Repository, adminDir: string): Promise<string | null> {
  const file = join(adminDir, "HEAD");
  if (!entryAt(file)?.isFile()) return null;
  const text = readFileSync(file, "latin1").trim();
  const name = text.startsWith("ref: ") ? text.slice(5) : text;
  if (!/^(refs\/[\x21-\x7e]+|[0-9a-f]{40,64})$/.test(name)) return null;
  return (await resolveCommit(repository, name)) ?? null;
}

const mostLeft = 100;

/** Where HEAD has been, by its own log, but for the commits that are `known`. */
async function leftCommits(repository: Repository, adminDir: string, known: readonly string[]): Promise<string[]> {
  const file = join(adminDir, "logs", "HEAD");
  if (!entryAt(file)?.isFile()) return [];
  const ids = readFileSync(file, "latin1").matchAll(/^[0-9a-f]{40,64} ([0-9a-f]{40,64}) /gm);
  const left = [...new Set([...ids].map((match) => match[1] ?? ""))].filter((id) => !known.includes(id));
  const found = await Promise.all(left.slice(-mostLeft).map((id) => resolveCommit(repository, id)));
  return found.filter((id) => id !== undefined);
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
    for (const { status, path } of await listChanges(repository, base, head)) if (status === "A") found.push(path);
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

const statusWords = { A: "added", M: "modified", D: "deleted", T: "type_changed" } as const;

function asChange(raw: RawChange): CapturedChange {
  const status = statusWords[raw.status as keyof typeof statusWords] ?? "modified";
  return { path: fromBytePath(raw.path), status, oldMode: raw.oldMode, newMode: raw.newMode };
}

const none = "000000";

function flagsOf(folder: string, changes: readonly RawChange[]) {
  const has = (mode: string) => (change: RawChange) => change.newMode === mode || change.oldMode === mode;
  return {
    symlinks: changes.filter((change) => change.newMode === "120000").map((change) => linkAt(folder, change.path)),
    submodules: changes.filter(has("160000")).map((change) => fromBytePath(change.path)),
    modeChanges: changes
      .filter((change) => change.oldMode !== change.newMode && change.oldMode !== none && change.newMode !== none)
      .map((change) => fromBytePath(change.path)),
    oddNames: changes.filter((change) => !isUtf8(change.path)).map((change) => fromBytePath(change.path)),
  };
}

function linkAt(folder: string, path: BytePath) {
  const shown = fromBytePath(path);
  const bytes = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, "latin1")]);
  const target = readlinkSync(bytes, "utf8");
  const end = normalize(join(dirname(shown), target));
  return {
    path: shown,
    target,
    leavesRepository: target.startsWith("/") || end === ".." || end.startsWith("../"),
  };
}
