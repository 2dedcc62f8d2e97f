// Commits the integrated work of a run: exactly the verified bytes on top of HEAD, with the user as author, and the
// evidence about it. Hooks and signing settings of the repository are not run.
import { rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fail } from "../../../core/contract/index.ts";
import { git, type Repository } from "../../../platform/git/index.ts";
import { deliveryOf, resultOf, type Run } from "../../../core/machine/index.ts";
import { commitText } from "../../../core/machine/view/index.ts";
import { signEnvelope } from "../dsse.ts";
import type { UserKey } from "../key.ts";
import { changeBetween, commitsIn, runNamedIn } from "./change.ts";
import { shelvedEvidence, fileEvidence } from "./shelf.ts";
import { makeStatement, type About, type Subject } from "./statement.ts";
import { judgeEvidence } from "./verify.ts";

interface Making extends Pick<About, "head" | "program" | "sha256" | "redact"> {
  readonly repository: Repository;
  readonly run: Run;
  readonly key: UserKey;
  readonly author: { readonly name: string; readonly email: string };
  /** A new branch for the commit instead of HEAD; the branch of the run without. */
  readonly branch?: string | undefined;
}

export interface MadeStatement {
  readonly commit: string;
  readonly subjects: number;
}

const text = (stdout: Buffer): string => stdout.toString("latin1").trim();

/** How far back rows of commits with evidence are signed as one change, for those who squash. */
const longestRow = 20;

function messageOf(run: Run, redact: About["redact"]): string {
  const agent = run.roles.implementer?.assignment;
  const trailers = [`Thehood-Run: ${run.runId}`, ...(agent ? [`Assisted-by: ${agent} [thehood]`] : [])];
  return `${commitText(run, redact)}\n\n${trailers.join("\n")}\n`;
}

/** The tree that the work was made from. */
function baseOf(run: Run): string {
  const first = run.passes.find(({ integration }) => integration !== null) ?? resultOf(run)?.pass;
  return first?.captured?.patch?.fromTree ?? run.created.baseTree ?? "";
}

/** The entries of the run's own paths, as `update-index --index-info` takes them. */
async function entriesOf(repository: Repository, from: string, to: string): Promise<{ stdin: Buffer; paths: number }> {
  const args = ["diff-tree", "-r", "-z", "--no-renames", "--no-abbrev", from, to];
  const parts = (await git(repository, args)).stdout.toString("latin1").split("\0");
  let stdin = "";
  let paths = 0;
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [, mode = "", , id = ""] = (parts[at] ?? "").split(" ");
    stdin += `${mode === "000000" ? "0" : mode} ${id}\t${parts[at + 1] ?? ""}\0`;
    paths += 1;
  }
  return { stdin: Buffer.from(stdin, "latin1"), paths };
}

/** The tree of HEAD with the work of the run in it. */
async function treeWith(repository: Repository, head: string, entries: Buffer): Promise<string> {
  const indexFile = join(repository.gitDir, `thehood-commit-${process.pid}.index`);
  try {
    await git(repository, ["read-tree", head], { indexFile });
    await git(repository, ["update-index", "-z", "--index-info"], { indexFile, stdin: entries });
    return text((await git(repository, ["write-tree"], { indexFile })).stdout);
  } finally {
    for (const end of ["", ".lock"]) rmSync(`${indexFile}${end}`, { force: true });
  }
}

/** The work must be what HEAD's files become, no more and no less: a change made since on the same paths is not ours to commit. */
async function refuseOther(repository: Repository, head: string, run: Run, verified: string): Promise<void> {
  const base = baseOf(run);
  const ours = await changeBetween(repository, base, verified);
  if (!ours) fail("illegal_transition", `Run ${run.runId} changed nothing, so there is nothing to commit.`);
  const { stdin } = await entriesOf(repository, base, verified);
  const tree = await treeWith(repository, head, stdin);
  const now = await changeBetween(repository, head, tree);
  if (now?.sha256 !== ours.sha256)
    fail("conflict", `The commit would not be the change that was verified: HEAD has moved since, in the same files.`, {
      remedy: "Commit it yourself, or run the goal again on the new HEAD; nothing was changed.",
    });
}

/** Rows of commits that end with the new one and have evidence each. */
async function rowsBefore(repository: Repository, key: UserKey, commit: string, parent: string): Promise<Subject[]> {
  const subjects: Subject[] = [];
  let last = parent;
  while (subjects.length < longestRow) {
    const [found] = await commitsIn(repository, last);
    const [before, second] = found?.parents ?? [];
    if (!found || before === undefined || second !== undefined) break;
    const own = await changeBetween(repository, before, found.id);
    const filed = own ? await shelvedEvidence(repository, own.patchId) : [];
    if (!own || !filed.some((one) => judgeEvidence(one, own, found.tree, [key]).verdict === "verified")) break;
    const change = await changeBetween(repository, before, commit);
    if (change) subjects.push({ name: "range", change });
    last = before;
  }
  return subjects;
}

const lookedBack = 1_000;

export interface EarlierCommit {
  readonly commit: string;
  /** The branch of the run, or HEAD. */
  readonly on: string;
}

/**
 * The commit that holds the work of the run already, on its branch or under HEAD. Evidence is filed before a ref moves,
 * so only a commit shows that all of it was done.
 */
export async function earlierCommit(
  repository: Repository,
  run: Run,
  toBranch = deliveryOf(run).branch,
): Promise<EarlierCommit | undefined> {
  for (const on of toBranch === undefined ? ["HEAD"] : [toBranch, "HEAD"]) {
    const ref = on === "HEAD" ? on : `refs/heads/${on}`;
    const args = ["log", `--max-count=${lookedBack}`, "--format=%H%n%B%x00", ref, "--"];
    const { exitCode, stdout } = await git(repository, args, { accept: [0, 128] });
    const records = exitCode === 0 ? stdout.toString("utf8").split("\0") : [];
    const found = records.find((record) => runNamedIn(record) === run.runId);
    if (found !== undefined) return { on, commit: found.trimStart().split("\n", 1)[0] ?? "" };
  }
  return undefined;
}

/** The branch is made at the end of a run, so a name that cannot be used is refused when it is given. */
export async function refuseBranch(repository: Repository, branch: string): Promise<void> {
  const ref = `refs/heads/${branch}`;
  await refuseName(repository, branch);
  const accept = [0, 1, 128];
  const found = await git(repository, ["rev-parse", "--verify", "--quiet", "--end-of-options", ref], { accept });
  if (found.exitCode === 0)
    fail("invalid_input", `${branch} is a branch already.`, { remedy: "Name a branch that does not exist yet." });
}

/** A name that git takes for a branch. */
export async function refuseName(repository: Repository, branch: string): Promise<void> {
  const { exitCode } = await git(repository, ["check-ref-format", `refs/heads/${branch}`], { accept: [0, 1] });
  if (exitCode !== 0)
    fail("invalid_input", `${branch} is not a name for a branch.`, { remedy: "Name one such as fix/rounding." });
}

async function refuseTwice(repository: Repository, run: Run, toBranch: string | undefined): Promise<void> {
  const { runId } = run;
  const earlier = await earlierCommit(repository, run, toBranch);
  if (earlier)
    fail(
      "conflict",
      `The work of run ${runId} is committed already: on ${earlier.on} as ${earlier.commit.slice(0, 12)}.`,
      {
        remedy: `Look: git show ${earlier.commit.slice(0, 12)}`,
      },
    );
  if (toBranch === undefined || continuesBranch(run, toBranch)) return;
  const branch = await git(repository, ["rev-parse", "--verify", "--quiet", `refs/heads/${toBranch}`], {
    accept: [0, 1],
  });
  if (branch.exitCode === 0)
    fail("conflict", `There is a branch ${toBranch} already, without the work of run ${runId}.`, {
      remedy: `Rename it (git branch -m ${toBranch} OTHER), then: thehood commit ${runId}`,
    });
}

const continuesBranch = ({ created }: Run, toBranch: string): boolean =>
  created.continuesBranch === true && created.toBranch === toBranch;

/** The local branch, where there is one, holds nothing but what the work begins with, and nobody works on it. */
async function branchBefore(repository: Repository, branch: string, base: string): Promise<string | undefined> {
  const format = ["for-each-ref", "--format=%(objectname) %(worktreepath)", `refs/heads/${branch}`];
  const [before = "", ...folder] = text((await git(repository, format)).stdout).split(" ");
  if (before === "") return undefined;
  if (folder.length > 0)
    fail("conflict", `The branch ${branch} is checked out in ${folder.join(" ")}, so it cannot be moved.`, {
      remedy: "Switch to another branch there, then: thehood commit RUN",
    });
  const isAncestor = ["merge-base", "--is-ancestor", before, base];
  if ((await git(repository, isAncestor, { accept: [0, 1] })).exitCode !== 0)
    fail("conflict", `The branch ${branch} was moved since the run began.`, {
      remedy: `Rename it (git branch -m ${branch} OTHER), then: thehood commit RUN`,
    });
  return before;
}

/** Commits below `head` that name a run, newest first. Whether they speak the truth is another question. */
export async function runsNamedBy(
  repository: Repository,
  head: string,
): Promise<{ readonly commit: string; readonly run: string }[]> {
  const args = ["log", `--max-count=${longestRow}`, "--format=%H%n%B%x00", head, "--"];
  const records = (await git(repository, args)).stdout.toString("utf8").split("\0");
  return records.flatMap((record) => {
    const run = runNamedIn(record);
    return run === undefined ? [] : [{ run, commit: record.trimStart().split("\n", 1)[0] ?? "" }];
  });
}

export async function commitRun(making: Making): Promise<MadeStatement> {
  const { repository, run, key, author } = making;
  const verified = resultOf(run)?.tree;
  if (verified === undefined || run.phase.state !== "completed")
    fail("illegal_transition", `Run ${run.runId} is not completed with verified work, so there is nothing to commit.`);
  if (run.undo?.state === "done")
    fail("illegal_transition", `The work of run ${run.runId} was taken out again, so there is nothing to commit.`);
  const toBranch = making.branch ?? deliveryOf(run).branch;
  const base = run.created.continuesBranch ? run.created.baseCommit : null;
  const head = base ?? text((await git(repository, ["rev-parse", "--verify", "HEAD"])).stdout);
  if (toBranch !== undefined) await refuseName(repository, toBranch);
  await refuseTwice(repository, run, toBranch);
  await refuseOther(repository, head, run, verified);
  const { stdin } = await entriesOf(repository, baseOf(run), verified);
  const tree = await treeWith(repository, head, stdin);
  const made = ["commit-tree", tree, "-p", head, "-F", "-"];
  const commit = text((await git(repository, made, { stdin: messageOf(run, making.redact), author })).stdout);
  const change = await changeBetween(repository, head, commit);
  if (!change) fail("illegal_transition", `Run ${run.runId} changed nothing, so there is nothing to commit.`);
  const subjects: Subject[] = [{ name: "commit", change }, ...(await rowsBefore(repository, key, commit, head))];
  const envelope = signEnvelope(key, makeStatement(run, { ...making, tree, subjects }));
  // Evidence first: a commit without evidence would be the worse half.
  const patchIds = [...new Set(subjects.map((subject) => subject.change.patchId))];
  await fileEvidence(repository, patchIds, { runId: run.runId, text: envelope });
  const why = `thehood: ${run.runId}`;
  if (toBranch !== undefined) {
    const before = continuesBranch(run, toBranch) ? await branchBefore(repository, toBranch, head) : undefined;
    const expected = before ?? "0".repeat(head.length);
    await git(repository, ["update-ref", "-m", why, `refs/heads/${toBranch}`, commit, expected]);
    return { commit, subjects: subjects.length };
  }
  await git(repository, ["update-ref", "-m", why, "HEAD", commit, head]);
  await git(repository, ["update-index", "-z", "--add", "--index-info"], { stdin });
  return { commit, subjects: subjects.length };
}
