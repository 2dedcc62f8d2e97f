// Brings two trees with one common base together, as objects only: no file of a checkout is touched.
import { fromBytePath, git, splitRecords, type Repository } from "../../../platform/git/index.ts";
import { commitTree } from "./pinned.ts";

export interface Merged {
  readonly clean: boolean;
  /** With conflict marks in the files that do not fit. */
  readonly tree: string;
  readonly conflicts: readonly string[];
}

/** Git before 2.38 cannot do this: then there is no tree, and the caller goes on without one. */
export async function mergeTrees(
  repository: Repository,
  base: string,
  ours: string,
  theirs: string,
): Promise<Merged | undefined> {
  // Commits of our own, so that exactly this base is the common one, whatever the history looks like.
  const root = await commitTree(repository, base, [], "base\n");
  const [one, other] = [
    await commitTree(repository, ours, [root], "the checkout\n"),
    await commitTree(repository, theirs, [root], "the work\n"),
  ];
  const { exitCode, stdout } = await git(
    repository,
    ["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", one, other],
    { accept: [0, 1, 128, 129] },
  );
  const [tree, ...conflicts] = splitRecords(stdout);
  if (exitCode > 1 || tree === undefined) return undefined;
  return {
    clean: exitCode === 0,
    tree,
    conflicts: conflicts.filter((path) => path !== "").map(fromBytePath),
  };
}
