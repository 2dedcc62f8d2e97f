// Whether everything that refs of ours keep alive can still be read.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { git, type Repository, stateHome } from "../../../platform/git/index.ts";
import { targetAt } from "../../../platform/system/index.ts";
import { listPinned } from "./kept-work.ts";

interface PinnedRef {
  readonly ref: string;
  readonly runId: string;
  /** What has to be there: the work, and what holds its commit. */
  readonly objects: readonly string[];
}

/** Needs no object, so that a ref to nothing is listed too. */
export async function pinnedRefs(repository: Repository): Promise<PinnedRef[]> {
  const args = ["for-each-ref", "--format=%(refname) %(objectname)", "refs/thehood/keep/", "refs/thehood/commit/"];
  const lines = (await git(repository, args)).stdout.toString("latin1").split("\n").filter(Boolean);
  const all = new Map(lines.map((line) => line.split(" ") as [string, string]));
  return [...all].flatMap(([ref, object]) => {
    const [, , kind, runId = "", ...rest] = ref.split("/");
    const holder = all.get(["refs", "thehood", "commit", runId, ...rest].join("/"));
    return kind === "keep" ? [{ ref, runId, objects: [object, ...(holder === undefined ? [] : [holder])] }] : [];
  });
}

/** The commits of the user that kept work stands on. */
async function parents(repository: Repository): Promise<string[]> {
  const listed = await git(repository, ["for-each-ref", "--format=%(objectname)", "refs/thehood/parent/"]);
  return listed.stdout.toString("latin1").split("\n").filter(Boolean);
}

/** Every object that these reach, and neither `without` nor a branch or tag does, can be opened. */
async function canBeRead(
  repository: Repository,
  objects: readonly string[],
  without: readonly string[] = [],
): Promise<boolean> {
  const walk = ["rev-list", "--objects", ...objects, "--not", ...without, "--branches", "--tags"];
  const { stdout, exitCode } = await git(repository, walk, { accept: [0, 1, 128] });
  if (exitCode !== 0) return false;
  const ids = stdout
    .toString("latin1")
    .split("\n")
    .flatMap((line) => line.split(" ")[0] || []);
  if (ids.length === 0) return true;
  const looked = await git(repository, ["cat-file", "--batch-check", "--buffer"], {
    stdin: `${ids.join("\n")}\n`,
    accept: [0, 1, 128],
  });
  return looked.exitCode === 0 && !/ missing$/m.test(looked.stdout.toString("latin1")) && looked.stderr === "";
}

/** As many as fit on a command line. */
const together = 500;

/** Those of which something cannot be read, with all others read together. */
async function brokenAmong<T>(some: readonly T[], isGood: (few: readonly T[]) => Promise<boolean>): Promise<T[]> {
  const bad: T[] = [];
  for (let from = 0; from < some.length; from += together) {
    const few = some.slice(from, from + together);
    if (await isGood(few)) continue;
    for (const one of few) if (!(await isGood([one]))) bad.push(one);
  }
  return bad;
}

export async function brokenPins(repository: Repository, refs: readonly PinnedRef[]): Promise<PinnedRef[]> {
  const on = await parents(repository);
  const lost = await brokenAmong(on, (few) => canBeRead(repository, few));
  // A tree has no history: what its base holds already is left out by the tree of the base.
  const bases = on.filter((id) => !lost.includes(id)).slice(-together);
  const trees = bases.map((id) => `${id}^{tree}`);
  const bad = await brokenAmong(refs, (few) =>
    canBeRead(
      repository,
      few.flatMap(({ objects }) => objects),
      trees,
    ),
  );
  if (lost.length === 0) return bad;
  const based = new Set(
    (await listPinned(repository)).filter((work) => work.on.some((id) => lost.includes(id))).map(({ ref }) => ref),
  );
  return refs.filter((one) => bad.includes(one) || based.has(one.ref));
}

/** The runs that have a folder among the worktrees. Makes nothing. */
export function worktreeRuns(repository: Repository): string[] {
  const base = join(stateHome(repository), "worktrees");
  return targetAt(base)?.isDirectory() ? readdirSync(base).filter((name) => name.startsWith("run_")) : [];
}
