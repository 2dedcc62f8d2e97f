// Reads the files of one git tree as discovery sees them: names from one listing, texts one by one.
import { gitOnce, readBlobs, type Repository } from "../../git/index.ts";
import type { TreeFiles } from "../discover/index.ts";

const maxTextBytes = 1_000_000;

export interface TreeEntry {
  readonly path: string;
  /** `100644`, `100755`, `120000`, `160000`. */
  readonly mode: string;
  readonly object: string;
}

/** Every file of a tree. Names that are not UTF-8 are left out: no check is defined by such a file. */
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

export async function treeFiles(repository: Repository, tree: string): Promise<TreeFiles> {
  const entries = await listTree(repository, tree);
  const byPath = new Map(
    entries.filter(({ mode }) => mode.startsWith("100")).map((entry) => [entry.path, entry]),
  );
  return {
    paths: [...byPath.keys()],
    async read(path) {
      const entry = byPath.get(path);
      return entry ? readText(repository, entry.object) : undefined;
    },
  };
}

async function readText(repository: Repository, object: string): Promise<string | undefined> {
  const size = await gitOnce(repository, ["cat-file", "-s", object]);
  if (Number(size.stdout.toString("utf8")) > maxTextBytes) return undefined;
  const [bytes] = await readBlobs(repository, [object]);
  return bytes?.includes(0) === false ? bytes.toString("utf8") : undefined;
}
