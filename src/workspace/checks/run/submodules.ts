// Submodules of a tree: the folders of agents and checks hold none of their files.
import { listTree, type Repository } from "../../../platform/git/index.ts";

const mostNamed = 3;

/** One line where the tree has submodules. */
export async function emptySubmodules(repository: Repository, tree: string): Promise<string[]> {
  const found = (await listTree(repository, tree)).filter(({ mode }) => mode === "160000").map(({ path }) => path);
  if (found.length === 0) return [];
  const more = found.length > mostNamed ? ` and ${found.length - mostNamed} more` : "";
  const named = found.slice(0, mostNamed).join(", ");
  return [`Submodules are empty folders for agents and checks: ${named}${more}. What needs their files fails there.`];
}
