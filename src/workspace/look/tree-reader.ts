// Shows a git tree to the patch judge as if it were checked out: a patch is judged against the tree it was made from.
import type { EntryKind, TreeReader } from "../../patch/index.ts";
import { listTree } from "../checks/tree/files.ts";
import { gitOnceSync, type Repository } from "../git/index.ts";

const kinds: Readonly<Record<string, EntryKind>> = {
  "100644": "file",
  "100755": "executable",
  "120000": "symlink",
  "160000": "gitlink",
};

export async function gitTreeReader(repository: Repository, tree: string): Promise<TreeReader> {
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
      return gitOnceSync(repository, ["cat-file", "blob", entry.object]).stdout;
    },
    // A tree is what it is; whether the checkout differs is judged when the patch is applied.
    dirty: () => false,
    paths: () => entries.keys(),
  };
}
