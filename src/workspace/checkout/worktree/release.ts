// Lets go of what was pinned beside kept work, once the work itself is dropped: by us, by a person with git, or by half where a
// process was killed.
import { join } from "node:path";
import { git, moveOwnRef, readObjects, type Repository } from "../../../platform/git/index.ts";
import { entryAt } from "../../../platform/system/index.ts";
import { idsIn, parentRef } from "./held-commits.ts";
import { companion, keepPrefix } from "./kept-work.ts";

/** Another process writes what holds a commit, and then the name of its work: a younger one may be waiting for that. */
const settledMs = 3_600_000;

interface Listed {
  readonly type: string;
  readonly id: string;
  readonly ref: string;
}

async function listRefs(repository: Repository, ...kinds: readonly string[]): Promise<Listed[]> {
  const under = kinds.map((kind) => `refs/thehood/${kind}/`);
  const format = "--format=%(objecttype) %(objectname) %(refname)";
  const { stdout } = await git(repository, ["for-each-ref", format, ...under]);
  return stdout
    .toString("utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => {
      const [type = "", id = "", ref = ""] = line.split(" ");
      return { type, id, ref };
    });
}

/** What held commits of work that is not kept any more, and commits of the user that nothing stands on. */
export async function releaseUnneeded(repository: Repository): Promise<void> {
  const refs = await listRefs(repository, "keep", "commit");
  const kept = new Set(
    refs
      .map(({ ref }) => ref)
      .filter((ref) => ref.startsWith(`${keepPrefix}/`))
      .map(companion),
  );
  for (const { ref, id } of refs) {
    const written = entryAt(join(repository.commonDir, ref))?.mtimeMs ?? 0;
    if (ref.startsWith("refs/thehood/commit/") && !kept.has(ref) && Date.now() - written > settledMs)
      await moveOwnRef(repository, ref, null, id);
  }
  await releaseParents(repository);
}

/** Commits of the user that no kept work and no base stands on any more. */
export async function releaseParents(repository: Repository): Promise<void> {
  const drop = await unneeded(repository);
  for (const id of drop) await moveOwnRef(repository, parentRef(id), null, id);
  if (drop.length === 0) return;
  // Work may have been pinned on one of them at this moment.
  const still = await unneeded(repository, drop);
  for (const id of drop) if (!still.includes(id)) await moveOwnRef(repository, parentRef(id), id);
}

/** Of the commits that have a ref, or of the given ones. */
async function unneeded(repository: Repository, some?: readonly string[]): Promise<readonly string[]> {
  const refs = await listRefs(repository, "parent", "commit", "base");
  const isParent = ({ ref }: Listed) => ref.startsWith(parentRef(""));
  const trees = refs.filter((one) => one.type === "tree" && !isParent(one));
  const found = await readObjects(
    repository,
    trees.map(({ id }) => `${id}:on`),
  );
  // One that cannot be read may need any of them.
  if (found.includes(undefined)) return [];
  const needed = new Set(found.flatMap((one) => idsIn(one?.bytes)));
  const named = refs.filter((one) => isParent(one) && one.ref === parentRef(one.id)).map(({ id }) => id);
  return (some ?? named).filter((id) => !needed.has(id));
}
