// Reads the files of one git tree as discovery sees them: names from one listing, texts one by one.
import { gitOnce, listTree, readBlobs, type Repository } from "../../../platform/git/index.ts";
import type { TreeFiles } from "../discover/index.ts";

const maxTextBytes = 1_000_000;

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
    async readAll(paths) {
      const found = paths.map((path) => byPath.get(path)?.object);
      const ids = [...new Set(found.filter((id) => id !== undefined))];
      const blobs = await readBlobs(repository, ids);
      const texts = new Map(ids.map((id, index) => [id, asText(blobs[index])]));
      return found.map((id) => (id === undefined ? undefined : texts.get(id)));
    },
  };
}

async function readText(repository: Repository, object: string): Promise<string | undefined> {
  const size = await gitOnce(repository, ["cat-file", "-s", object]);
  if (Number(size.stdout.toString("utf8")) > maxTextBytes) return undefined;
  const [bytes] = await readBlobs(repository, [object]);
  return asText(bytes);
}

const asText = (bytes: Buffer | undefined): string | undefined =>
  bytes?.includes(0) === false && bytes.length <= maxTextBytes ? bytes.toString("utf8") : undefined;
