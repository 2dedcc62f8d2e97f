// Shows a git tree to the patch judge as if it were checked out: a patch is judged against the tree it was made from.
import type { EntryKind, TreeReader } from "../../../core/patch/index.ts";
import { FailureError } from "../../../core/contract/index.ts";
import { listTree, readBlobs, readBlobSync, type Repository } from "../../../platform/git/index.ts";
import { listChanges } from "../worktree/index.ts";

const kinds: Readonly<Record<string, EntryKind>> = {
  "100644": "file",
  "100755": "executable",
  "120000": "symlink",
  "160000": "gitlink",
};

/** `next`: a tree that the patch leads to. The files that differ between the two are read in one call. */
export async function gitTreeReader(repository: Repository, tree: string, next?: string): Promise<TreeReader> {
  const read = next === undefined ? new Map<string, Buffer>() : await blobsBetween(repository, tree, next);
  const entries = new Map((await listTree(repository, tree)).map((entry) => [entry.path, entry]));
  const folders = new Set<string>();
  for (const path of entries.keys())
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      const folder = path.slice(0, at);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  return {
    kind(path) {
      const entry = entries.get(path);
      if (entry) return kinds[entry.mode] ?? "other";
      return folders.has(path) ? "directory" : undefined;
    },
    content(path) {
      const entry = entries.get(path);
      // Of a link its target: that is what a patch that removes it shows.
      if (!entry || (!entry.mode.startsWith("100") && entry.mode !== "120000")) return undefined;
      return read.get(entry.object) ?? readBlobSync(repository, entry.object);
    },
    // A tree is what it is; whether the checkout differs is judged when the patch is applied.
    dirty: () => false,
    paths: () => entries.keys(),
  };
}

async function blobsBetween(repository: Repository, from: string, to: string): Promise<Map<string, Buffer>> {
  const sides = (await listChanges(repository, from, to)).flatMap(({ oldMode, oldId, newMode, newId }) => [
    { mode: oldMode, id: oldId },
    { mode: newMode, id: newId },
  ]);
  const ids = sides.filter(({ mode }) => mode in kinds && mode !== "160000").map(({ id }) => id);
  try {
    const blobs = await readBlobs(repository, ids);
    return new Map(ids.map((id, index) => [id, blobs[index] ?? Buffer.alloc(0)]));
  } catch (error) {
    // Too much for one call, or something is missing: reading that one file then fails.
    if (error instanceof FailureError) return new Map();
    throw error;
  }
}
