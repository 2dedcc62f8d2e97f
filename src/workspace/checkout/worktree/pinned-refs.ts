// Kept refs and worktrees as `log verify` looks at them: their names without their objects, and whether the objects are there.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { git, stateHome, type Repository } from "../../../platform/git/index.ts";
import { targetAt } from "../../../platform/system/index.ts";

export interface PinnedRef {
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
  return (
    looked.exitCode === 0 && !/ missing$/m.test(looked.stdout.toString("latin1")) && looked.stderr === ""
  );
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
