// Commits the applied patch: through the repository's own helper where it has one, else with git itself (T-20, T-22).
import { createHash } from "node:crypto";
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { z } from "zod";
import { FailureError, fail, type CommandRunner } from "../../../core/contract/index.ts";
import { fromBytePath, git, splitRecords, stateHome, type Repository } from "../../../platform/git/index.ts";
import type { UserGit } from "../../../platform/git/user/index.ts";
import { writeDurably } from "../../../platform/system/index.ts";
import { headCommit } from "../../../workspace/checkout/worktree/index.ts";

const shape = z.object({ patchSha256: z.string(), head: z.string(), paths: z.array(z.string()) });
type Pending = z.infer<typeof shape>;

const fileOf = (repository: Repository): string => join(stateHome(repository), "apply", "commit.json");

const patchHash = (patch: Uint8Array): string => createHash("sha256").update(patch).digest("hex");

export async function noteCommit(repository: Repository, patch: Uint8Array, paths: readonly string[]): Promise<void> {
  const head = (await headCommit(repository))?.commit ?? "";
  const file = fileOf(repository);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const noted: Pending = { patchSha256: patchHash(patch), head, paths: [...paths] };
  writeDurably(file, `${file}.${process.pid}`, Buffer.from(JSON.stringify(noted)));
}

/** The patch that a killed run left uncommitted; undefined when there is none, or the branch has moved since. */
export async function pendingCommit(repository: Repository): Promise<Pending | undefined> {
  const file = fileOf(repository);
  if (!existsSync(file)) return undefined;
  const noted = shape.safeParse(JSON.parse(readFileSync(file, "utf8"))).data;
  return noted?.head === (await headCommit(repository))?.commit ? noted : undefined;
}

/** Another patch must not be committed together with files of an uncommitted one. */
export async function insistSamePatch(repository: Repository, patch: Uint8Array): Promise<void> {
  const left = await pendingCommit(repository);
  if (!left || left.patchSha256 === patchHash(patch)) return;
  fail("conflict", `The tree holds the patch of a run that was stopped before its commit: ${left.paths[0] ?? ""} …`, {
    remedy: "Apply that answer again to commit it, or undo its files.",
  });
}

export const commitDone = (repository: Repository): void => rmSync(fileOf(repository), { force: true });

export const committerPath = "scripts/committer";
const defaultMessage = "Apply patch proposed through oracle";
const helperTimeout = 10 * 60_000;

interface CommitRequest {
  readonly repository: Repository;
  /** The paths that the apply really changed. */
  readonly paths: readonly string[];
  readonly message: string | null;
  readonly user: UserGit;
  readonly runner: CommandRunner;
  readonly signal: AbortSignal;
}

const head = async (repository: Repository) =>
  (await git(repository, ["rev-parse", "--verify", "--quiet", "HEAD"], { accept: [0, 1] })).stdout
    .toString("latin1")
    .trim();

export async function hasHelper(repository: Repository): Promise<boolean> {
  const there = lstatSync(join(repository.top, committerPath), { throwIfNoEntry: false });
  if (!there?.isFile() || (there.mode & 0o111) === 0) return false;
  const tracked = await git(repository, ["ls-files", "--error-unmatch", "--", committerPath], {
    accept: [0, 1],
  });
  return tracked.exitCode === 0;
}

/** Returns the id of the new commit. Every error is a failure with the message of git or the helper. */
export async function commitPatch(commit: CommitRequest): Promise<string> {
  const { repository } = commit;
  const before = await head(repository);
  const helped = await hasHelper(repository);
  if (helped) await viaHelper(commit);
  else await viaGit(commit);
  const after = await head(repository);
  if (after === before) fail("git_failed", "The commit was not made: HEAD is where it was.");
  const wrong = await otherThanPatch(commit, before, after);
  if (wrong !== null) {
    const back = await takeBack(repository, before, after);
    fail("git_failed", `The commit ${after} is not the patch: ${wrong}${back}`);
  }
  return after;
}

/** A helper may commit what is not in the patch, e.g. another program's files. The branch goes back; no file is touched. */
async function takeBack(repository: Repository, before: string, after: string): Promise<string> {
  if (before === "") return "";
  await git(repository, ["update-ref", "-m", "oracle: the commit is not the patch", "HEAD", before, after]);
  await git(repository, ["read-tree", before]);
  return ` The branch is back at ${before}; look at the commit with: git show ${after}`;
}

async function viaGit({ repository, paths, message, user, signal }: CommitRequest): Promise<void> {
  try {
    // The paths of the patch and no other: an untracked file beside it is the user's.
    await git(repository, ["add", "-A", "--pathspec-from-file=-", "--pathspec-file-nul"], {
      stdin: Buffer.from(paths.map((path) => `${path}\0`).join("")),
      convertLineEndings: true,
      signal,
    });
    const staged = await git(repository, ["diff", "--cached", "--name-only", "-z", "--no-renames"], {
      signal,
    });
    const names = splitRecords(staged.stdout).map(fromBytePath);
    const wrong = difference(paths, names);
    if (wrong !== null) fail("git_failed", wrong);
    await git(repository, ["commit", "--quiet", "--cleanup=verbatim", "-F", "-"], {
      stdin: `${message ?? defaultMessage}\n`,
      author: user.author,
      signal,
    });
  } catch (error) {
    await unstage(repository);
    throw error;
  }
}

/** The index was clean before, so it held HEAD's tree. When this fails too, the first failure is reported. */
async function unstage(repository: Repository): Promise<void> {
  if ((await head(repository)) === "") return;
  try {
    await git(repository, ["read-tree", "HEAD"]);
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
  }
}

function difference(wanted: readonly string[], found: readonly string[]): string | null {
  const missing = wanted.filter((path) => !found.includes(path));
  const extra = found.filter((path) => !wanted.includes(path));
  if (missing.length > 0) return `git would not commit ${missing.join(", ")}: ignored, or the same as before.`;
  return extra.length > 0 ? `git would also commit ${extra.join(", ")}, which is not in the patch.` : null;
}

/** The repository's own commit program; it gets the message and the paths of the patch. */
async function viaHelper({ repository, paths, message, user, runner, signal }: CommitRequest): Promise<void> {
  const { name, email } = user.author;
  const outcome = await runner.run({
    argv: [join(repository.top, committerPath), message ?? defaultMessage, ...paths],
    cwd: repository.top,
    writable: [repository.top],
    network: false,
    env: {
      GIT_AUTHOR_NAME: name,
      GIT_AUTHOR_EMAIL: email,
      GIT_COMMITTER_NAME: name,
      GIT_COMMITTER_EMAIL: email,
      GIT_TERMINAL_PROMPT: "0",
    },
    timeoutMs: helperTimeout,
    maxOutputBytes: 1 << 20,
    signal,
  });
  if (outcome.ended === "exited" && outcome.exitCode === 0) return;
  const output =
    Buffer.from(outcome.stderr).toString("utf8").trim() || Buffer.from(outcome.stdout).toString("utf8").trim();
  const how = outcome.ended === "exited" ? `exit code ${outcome.exitCode}` : outcome.ended;
  fail("git_failed", `${committerPath} failed (${how}): ${(outcome.error ?? output).slice(0, 4000)}`);
}

/** One commit, on top of the old one, with the patch's paths and no other; otherwise what differs. */
async function otherThanPatch(
  { repository, paths }: CommitRequest,
  before: string,
  after: string,
): Promise<string | null> {
  if (before !== "") {
    const parents = await git(repository, ["rev-list", "--parents", "-1", after]);
    if (parents.stdout.toString("latin1").trim() !== `${after} ${before}`)
      fail("git_failed", `HEAD is now ${after}, which is not one commit on top of ${before}.`);
  }
  const args = ["diff-tree", "-r", "-z", "--no-renames", "--no-commit-id", "--name-only", "--root", after];
  const committed = splitRecords((await git(repository, args)).stdout).map(fromBytePath);
  return difference(paths, committed);
}

export const messageOf = (error: unknown): string => {
  if (error instanceof FailureError) return error.failure.message;
  throw error;
};
