// Checks the work tree before anything is sent: a state that would stop the patch later stops the run now (T-19).
import { existsSync, lstatSync, realpathSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fail } from "../../../core/contract/index.ts";
import type { RunRequest } from "../../../core/contract/transport/index.ts";
import { recoverApplies } from "../../../workspace/checkout/apply/index.ts";
import { type Repository, findRepository, fromBytePath, git, splitRecords } from "../../../platform/git/index.ts";
import { refusedOutput } from "../outputs.ts";
import { type Upstream, currentBranch, upstreamOf } from "./branches.ts";
import { commitDone, pendingCommit } from "./committer.ts";

export interface Prepared {
  readonly repository: Repository;
  /** The branch the commit will be on; null when the mode makes no commit and HEAD is detached. */
  readonly branch: string | null;
  /** The branch that was checked out when the run began; null on a detached HEAD. */
  readonly began: string | null;
  /** The branch does not exist yet and is made right before the commit. */
  readonly makeBranch: boolean;
  readonly upstream: Upstream | null;
}

function locate({ git: wanted, cwd }: RunRequest): Repository {
  const start = wanted.root ?? cwd;
  const found = existsSync(start) ? findRepository(start) : undefined;
  const named = wanted.root === null ? "" : "--git-root ";
  if (!found)
    return fail("not_a_repository", `${named}${start} is not a git repository.`, {
      remedy: "Point --git-root at the top of a work tree, or use --apply-mode none.",
    });
  if (wanted.root !== null && realpathSync(start) !== found.top)
    return fail("not_a_repository", `--git-root ${start} is not the top of its repository.`, {
      remedy: `Use --git-root ${found.top}`,
    });
  return found;
}

/** An unfinished merge or rebase would change what the commit means. */
const unfinished = ["MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply"];

export async function requireClean(repository: Repository): Promise<void> {
  const begun = unfinished.find((name) => existsSync(join(repository.gitDir, name)));
  if (begun !== undefined)
    fail("conflict", `${repository.top} is in the middle of something (${begun}).`, {
      remedy: "Finish or abort the merge, rebase, cherry-pick or revert first.",
    });
  // A checkout that the user's own git converted is clean.
  const status = await git(repository, ["status", "--porcelain=v1", "-z", "--untracked-files=all"], {
    convertLineEndings: true,
  });
  const left = (await pendingCommit(repository))?.paths ?? [];
  const changed = splitRecords(status.stdout).map((record) => ({
    path: fromBytePath(record.slice(3)),
    tracked: !record.startsWith("??"),
  }));
  // A tree without changes has no patch that waits for its commit.
  if (!changed.some(({ path, tracked }) => tracked || left.includes(path))) return commitDone(repository);
  // Untracked files do not matter: the commit takes the paths of the patch, and a patch for such a file is refused.
  const dirty = changed.flatMap(({ path, tracked }) => (tracked && !left.includes(path) ? [path] : []));
  if (dirty.length > 0)
    fail("conflict", `${repository.top} has changes that are not committed: ${some(dirty)}.`, {
      remedy: "Commit or stash them first: the commit must hold the diff and nothing else.",
    });
}

const some = (paths: readonly string[]) =>
  paths.slice(0, 5).join(", ") + (paths.length > 5 ? ` and ${paths.length - 5} more` : "");

/** The real location of a path that may not exist yet. */
function settle(path: string): string {
  for (let at = path; ; at = dirname(at))
    if (lstatSync(at, { throwIfNoEntry: false })) return join(realpathSync(at), relative(at, path));
    else if (dirname(at) === at) return path;
}

/** A result that replaces a tracked file would be a change of the tree beside the commit. */
async function keepOutOfTree(repository: Repository, paths: readonly string[]): Promise<void> {
  const inside = paths
    .map(settle)
    .filter((path) => (path + sep).startsWith(repository.top + sep))
    .filter((path) => !(path + sep).startsWith(repository.gitDir + sep));
  for (const path of inside)
    if (await isTracked(repository, path))
      fail("invalid_input", `${path} is a tracked file of the work tree, so commit mode cannot write a result to it.`, {
        remedy: "Write it to another path.",
        details: refusedOutput,
      });
}

async function isTracked(repository: Repository, path: string): Promise<boolean> {
  const inTree = relative(repository.top, path) || ".";
  return (await git(repository, ["ls-files", "-z", "--cached", "--", inTree])).stdout.length > 0;
}

async function settleBranch(repository: Repository, current: string | null, wanted: string | null) {
  if (wanted === null || wanted === current) return { branch: current, makeBranch: false };
  const valid = await git(repository, ["check-ref-format", `refs/heads/${wanted}`], { accept: [0, 1] });
  if (valid.exitCode !== 0 || wanted.startsWith("-") || wanted === "HEAD")
    return fail("invalid_input", `"${wanted}" cannot be the name of a branch.`, {
      remedy: "Choose another --branch.",
    });
  const there = await git(repository, ["show-ref", "--verify", "--quiet", `refs/heads/${wanted}`], {
    accept: [0, 1],
  });
  if (there.exitCode === 0)
    return fail("conflict", `The branch ${wanted} exists, but ${current ?? "no branch"} is checked out.`, {
      remedy: `Check it out first: git switch ${wanted}`,
    });
  return { branch: wanted, makeBranch: true };
}

const longestMoveMs = 120_000;

export async function prepareGit(request: RunRequest, keepOut: readonly string[]): Promise<Prepared> {
  const repository = locate(request);
  // A patch that a crash left half applied is finished or undone first.
  await recoverApplies(repository, longestMoveMs);
  const { applyMode, branch: wanted, push } = request.git;
  const began = await currentBranch(repository);
  if (applyMode !== "commit") return { repository, branch: began, began, makeBranch: false, upstream: null };
  await keepOutOfTree(repository, keepOut);
  await requireClean(repository);
  const { branch, makeBranch } = await settleBranch(repository, began, wanted);
  const upstream = push ? upstreamOf(repository, branch, makeBranch) : null;
  return { repository, branch, began, makeBranch, upstream };
}
