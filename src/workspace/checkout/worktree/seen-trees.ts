// Pins the trees of the checkout that a run saw and names in its log: a later step compares with them, and a `git gc
// --prune=now` of the user removes every object without a ref. One ref for each run, until the run ends: to a tree that holds
// them under their own ids, because a commit would stand in the user's `git log --all`.
import {
  askOwnRef,
  bringIn,
  git,
  idOf,
  inTheOpen,
  isFullId,
  moveOwnRef,
  parseTree,
  printTree,
  readObjects,
  writeObjects,
  type Repository,
} from "../../../platform/git/index.ts";
import { readBack } from "./read-back.ts";

const refOf = (runId: string): string => `refs/thehood/seen/${runId}`;

/** Those that are pinned already. An earlier version pinned a chain of commits. */
async function pinnedTrees(repository: Repository, ref: string): Promise<string[]> {
  if ((await askOwnRef(repository, ref)) === null) return [];
  const [found] = await readObjects(repository, [ref]);
  if (found?.type === "tree")
    return parseTree(found.bytes, found.id.length).flatMap(({ name, id }) => (name === id ? [id] : []));
  if (found?.type !== "commit") return [];
  const { stdout } = await git(repository, ["log", "--format=%T", found.id, "--"]);
  return stdout.toString("latin1").split("\n").filter(isFullId);
}

/** `base`: a commit or a tree of which nothing is read back, because the user's own refs lead to it. */
export async function pinSeenTrees(
  where: Repository,
  runId: string,
  trees: readonly string[],
  base: string | undefined,
): Promise<void> {
  const ref = refOf(runId);
  const all = [...new Set([...(await pinnedTrees(inTheOpen(where), ref)), ...trees])];
  const [first] = all;
  if (first === undefined) return;
  const holder = printTree(all.map((id) => ({ mode: "40000", name: id, id })));
  const object = idOf(holder, first.length);
  await writeObjects(where, [holder], first.length);
  await bringIn(where, object);
  await moveOwnRef(where, ref, object);
  // A `git prune` that had read the refs before may have taken it away meanwhile; then it is made again.
  await readBack(inTheOpen(where), { refs: [ref], objects: [object] }, base);
}

/** Also a ref that leads to nothing goes away: git would refuse to collect in such a repository. */
export const dropSeenTrees = async (repository: Repository, runId: string): Promise<void> =>
  void (await moveOwnRef(repository, refOf(runId), null));
