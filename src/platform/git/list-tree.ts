// Lists the files of one git tree.
import type { Repository } from "./locate.ts";
import { gitOnce } from "./once.ts";

export interface TreeEntry {
  readonly path: string;
  /** `100644`, `100755`, `120000`, `160000`. */
  readonly mode: string;
  readonly object: string;
}

/** Every file of a tree. Names that are not UTF-8 are left out. */
export async function listTree(repository: Repository, tree: string): Promise<TreeEntry[]> {
  const { stdout } = await gitOnce(repository, ["ls-tree", "-r", "-z", "--full-tree", tree]);
  return stdout
    .toString("utf8")
    .split("\0")
    .flatMap((line) => {
      const match = /^(\d{6}) \w+ ([0-9a-f]+)\t(.+)$/s.exec(line);
      return match?.[1] && match[2] && match[3] && !match[3].includes("\uFFFD")
        ? [{ mode: match[1], object: match[2], path: match[3] }]
        : [];
    });
}
