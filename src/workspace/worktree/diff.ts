// Differences between two trees, free of anything a work tree could say about how they are shown.
import { mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gitOnce, parseRaw, type RawChange, type Repository } from "../git/index.ts";

/**
 * The patch from one tree to another. git reads `.gitattributes` from the work tree and the index, where a worker could
 * declare its files binary to hide them from review; so it is given an empty folder and no index.
 */
export async function diffTrees(repository: Repository, from: string, to: string): Promise<Buffer> {
  const empty = mkdtempSync(join(tmpdir(), "thehood-empty-"));
  try {
    const { stdout } = await gitOnce(
      repository,
      ["diff-tree", "-r", "-p", "--binary", "--full-index", "--no-renames", from, to],
      {
        workTree: empty,
        indexFile: join(empty, "index"),
        timeoutMs: 600_000,
      },
    );
    return stdout;
  } finally {
    rmdirSync(empty);
  }
}

/** `objectDirectory`: where the trees may lie beside the repository's own objects. */
export async function listChanges(
  repository: Repository,
  from: string,
  to: string,
  around: { readonly objectDirectory?: string } = {},
): Promise<RawChange[]> {
  const args = ["diff-tree", "-r", "--raw", "-z", "--no-renames", "--no-abbrev", from, to];
  const { stdout } = await gitOnce(repository, args, around);
  return parseRaw(stdout);
}
