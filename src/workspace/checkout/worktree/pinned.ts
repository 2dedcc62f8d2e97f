// Refs that keep work alive: work is pinned here before it is removed, and only a person drops the pin.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fail, FailureError } from "../../../core/contract/index.ts";
import {
  bringIn,
  git,
  inTheOpen,
  moveOwnRef,
  readOwnRefs,
  splitRecords,
  type Repository,
  stateHome,
} from "../../../platform/git/index.ts";
import { isSafeSegment } from "../../../platform/paths/index.ts";
import { targetAt, entryAt, syncFolder } from "../../../platform/system/index.ts";

const prefix = "refs/thehood/keep";

export interface Pinned {
  readonly ref: string;
  readonly runId: string;
  readonly commit: string;
  readonly tree: string;
}

export interface PinnedWork extends Pinned {
  readonly parents: readonly string[];
  /** Seconds since 1970. */
  readonly at: number;
  readonly summary: string;
}

interface Named {
  readonly ref: string;
  readonly commit: string;
}

interface PinRequest {
  readonly runId: string;
  readonly tree: string;
  /** The base commit first, then whatever else must stay reachable: the worker's commits, its index. */
  readonly parents: readonly string[];
  readonly message: string;
}

const mostTries = 50;

/**
 * Pins a tree as a commit under `refs/thehood/keep/<runId>/<n>`. The same tree with the same parents is pinned once.
 * `seen` is what the caller knows to be pinned of the run. Only a free ref name is used, so if something is
 * missing in `seen` the refs are read after all.
 */
export async function pin(repository: Repository, request: PinRequest, seen?: readonly PinnedWork[]): Promise<Pinned> {
  const { runId, tree } = request;
  if (!isSafeSegment(runId)) fail("invalid_input", `${JSON.stringify(runId)} is not a run id.`);
  const parents = [...new Set(request.parents)];
  let made: string | undefined;
  for (let tries = 0; tries < mostTries; tries++) {
    const kept = (tries === 0 ? seen : undefined) ?? (await listPinned(repository, runId));
    const existing = kept.find(
      (work) => work.tree === tree && parents.every((parent) => work.parents.includes(parent)),
    );
    const commit = existing?.commit ?? (made ??= await commitTree(repository, tree, parents, request.message));
    const ref = existing?.ref ?? nextName(runId, kept);
    await bringIn(repository, commit);
    // False when there is such a ref already.
    if (!existing && !(await moveOwnRef(repository, ref, commit, null))) continue;
    await readBackWorktree(inTheOpen(repository), { ref, commit }, parents[0]);
    return { ref, runId, commit, tree };
  }
  return fail("git_failed", `No free name under ${prefix}/${runId}.`, {
    remedy:
      "Look for a file that ends in .lock in that folder of the git folder, end the git that holds it, then continue.",
  });
}

function nextName(runId: string, kept: readonly PinnedWork[]): string {
  const numbers = kept.map((work) => Number(work.ref.split("/").at(-1))).filter(Number.isSafeInteger);
  return `${prefix}/${runId}/${1 + numbers.reduce((most, one) => Math.max(most, one), 0)}`;
}

export async function commitTree(
  repository: Repository,
  tree: string,
  parents: readonly string[],
  message: string,
): Promise<string> {
  const args = ["commit-tree", tree, ...parents.flatMap((parent) => ["-p", parent]), "-F", "-"];
  const { stdout } = await git(repository, args, { stdin: message });
  return stdout.toString("latin1").trim();
}

/** Everything that is kept, oldest first. What is kept of one run costs the same however many runs there are. */
export async function listPinned(repository: Repository, runId?: string): Promise<PinnedWork[]> {
  const own = runId === undefined ? undefined : readOwnRefs(repository, `${prefix}/${runId}`);
  const kept = own ? await describePinned(repository, own) : await listByGit(repository, runId);
  return kept.toSorted((a, b) => a.at - b.at || a.ref.localeCompare(b.ref, "en", { numeric: true }));
}

const runOf = (ref: string): string => ref.slice(prefix.length + 1).split("/")[0] ?? "";

async function describePinned(repository: Repository, refs: readonly Named[]): Promise<PinnedWork[]> {
  if (refs.length === 0) return [];
  const args = ["log", "--no-walk=unsorted", "--format=%H%x00%T%x00%P%x00%ct%x00%s%x00"];
  const { stdout } = await git(repository, [...args, ...refs.map(({ commit }) => commit)]);
  const [records, about] = [recordsOf(stdout), new Map<string, Omit<PinnedWork, "ref" | "runId">>()];
  for (let index = 0; index + 4 < records.length; index += 5) {
    const [commit = "", ...rest] = records.slice(index, index + 5);
    about.set(commit, { commit, ...describe(rest) });
  }
  return refs.flatMap(({ ref, commit }) => {
    const found = about.get(commit);
    return found ? [{ ref, runId: runOf(ref), ...found }] : [];
  });
}

async function listByGit(repository: Repository, runId?: string): Promise<PinnedWork[]> {
  const format = "%(refname)%00%(objectname)%00%(tree)%00%(parent)%00%(committerdate:unix)%00%(contents:subject)%00";
  const under = runId === undefined ? prefix : `${prefix}/${runId}`;
  const { stdout } = await git(repository, ["for-each-ref", `--format=${format}`, `${under}/`]);
  const records = recordsOf(stdout);
  const kept: PinnedWork[] = [];
  for (let index = 0; index + 5 < records.length; index += 6) {
    const [ref = "", commit = "", ...rest] = records.slice(index, index + 6);
    kept.push({ ref, runId: runOf(ref), commit, ...describe(rest) });
  }
  return kept;
}

const recordsOf = (stdout: Buffer): string[] => splitRecords(stdout).map((record) => record.replace(/^\n/, ""));

const describe = ([tree = "", parents = "", at = "", summary = ""]: readonly string[]) => ({
  tree,
  parents: parents.split(" ").filter((id) => id !== ""),
  at: Number(at),
  summary: Buffer.from(summary, "latin1").toString("utf8"),
});

/** Drops one kept ref, and only if it still holds what the caller saw. */
export async function dropPinned(repository: Repository, work: Pick<PinnedWork, "ref" | "commit">): Promise<void> {
  if (!work.ref.startsWith(`${prefix}/`)) fail("invalid_input", `${work.ref} is not kept work.`);
  if (!(await moveOwnRef(repository, work.ref, null, work.commit)))
    fail("conflict", `${work.ref} no longer holds ${work.commit}, or another git is writing it.`, {
      remedy: "List the kept work again, then try again.",
    });
}

interface PinnedRef {
  readonly ref: string;
  readonly runId: string;
  readonly commit: string;
}

/** Needs no object, so that a ref to nothing is listed too. */
export async function pinnedRefs(repository: Repository): Promise<PinnedRef[]> {
  const args = ["for-each-ref", "--format=%(refname) %(objectname)", "refs/thehood/keep/"];
  const lines = (await git(repository, args)).stdout.toString("latin1").split("\n");
  return lines.flatMap((line) => {
    const [ref = "", commit] = line.split(" ");
    return commit === undefined ? [] : [{ ref, commit, runId: ref.split("/")[3] ?? "" }];
  });
}

/** Every object that the commits reach and no branch or tag does can be opened. */
async function canBeRead(repository: Repository, commits: readonly string[]): Promise<boolean> {
  const walk = ["rev-list", "--objects", ...commits, "--not", "--branches", "--tags"];
  const { stdout, exitCode } = await git(repository, walk, { accept: [0, 1, 128] });
  if (exitCode !== 0) return false;
  const ids = stdout
    .toString("latin1")
    .split("\n")
    .flatMap((line) => line.split(" ")[0] || []);
  const looked = await git(repository, ["cat-file", "--batch-check", "--buffer"], {
    stdin: `${ids.join("\n")}\n`,
    accept: [0, 1, 128],
  });
  return looked.exitCode === 0 && !/ missing$/m.test(looked.stdout.toString("latin1")) && looked.stderr === "";
}

/** As many commits as fit on a command line. */
const together = 500;

export async function brokenPins(repository: Repository, refs: readonly PinnedRef[]): Promise<PinnedRef[]> {
  const bad: PinnedRef[] = [];
  for (let from = 0; from < refs.length; from += together) {
    const some = refs.slice(from, from + together);
    if (
      await canBeRead(
        repository,
        some.map(({ commit }) => commit),
      )
    )
      continue;
    for (const ref of some) if (!(await canBeRead(repository, [ref.commit]))) bad.push(ref);
  }
  return bad;
}

/** The runs that have a folder among the worktrees. Makes nothing. */
export function worktreeRuns(repository: Repository): string[] {
  const base = join(stateHome(repository), "worktrees");
  return targetAt(base)?.isDirectory() ? readdirSync(base).filter((name) => name.startsWith("run_")) : [];
}

/**
 * Reads what the pin adds to `base`, which is the user's own. Fails when an object is missing or damaged: after a power
 * loss, or when `git prune` ran beside us before there was a ref.
 */
export async function readBackWorktree(
  repository: Repository,
  { ref, commit }: Named,
  base: string | undefined,
): Promise<void> {
  const ids = await objectsOf(repository, { ref, commit }, base);
  // git syncs the files that it writes, and not the folders that name them.
  const shards = new Set(ids.map((id) => join(repository.commonDir, "objects", id.slice(0, 2))));
  const folders = ref.split("/").map((_, at, names) => join(repository.commonDir, ...names.slice(0, at)));
  for (const folder of [...shards, join(repository.commonDir, "objects"), ...folders.slice(1)])
    if (entryAt(folder)?.isDirectory()) syncFolder(folder);
}

const linesOf = (output: Buffer): string[] =>
  output
    .toString("latin1")
    .split("\n")
    .filter((line) => line !== "");

async function objectsOf(repository: Repository, { ref, commit }: Named, base: string | undefined): Promise<string[]> {
  try {
    const args = ["rev-list", "--objects", commit, ...(base === undefined ? [] : ["--not", base])];
    const { stdout } = await git(repository, args, { timeoutMs: 600_000 });
    const ids = linesOf(stdout).map((line) => line.split(" ", 1)[0] ?? "");
    const asked = await git(repository, ["cat-file", "--batch-check"], { stdin: `${ids.join("\n")}\n` });
    const bad = linesOf(asked.stdout).find((line) => line.endsWith(" missing"));
    if (bad !== undefined) fail("git_failed", `object ${bad}`);
    return ids;
  } catch (error) {
    if (!(error instanceof FailureError) || error.failure.code !== "git_failed") throw error;
    throw new FailureError({
      code: "git_failed",
      message: `Kept work cannot be read back from ${ref}: ${error.failure.message}`,
      remedy: "Nothing was removed. Look at the repository with `git fsck`, then continue.",
    });
  }
}
