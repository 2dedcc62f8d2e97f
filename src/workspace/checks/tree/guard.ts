// Makes the tree that judges work by the base commit's rules: the work, with every file that defines a check as it was.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { git, type Repository } from "../../git/index.ts";

export interface TreeChange {
  readonly path: string;
  /** `A`, `M`, `D` or `T`. */
  readonly status: string;
  readonly oldMode: string;
  readonly oldObject: string;
}

/** What differs between two trees, renames told as a deletion and an addition. */
export async function changesBetween(
  repository: Repository,
  from: string,
  to: string,
): Promise<TreeChange[]> {
  const { stdout } = await git(repository, [
    "diff-tree",
    "-r",
    "-z",
    "--raw",
    "--no-renames",
    "--no-abbrev",
    from,
    to,
  ]);
  const parts = stdout.toString("latin1").split("\0");
  const changes: TreeChange[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const match = /^:(\d{6}) \d{6} ([0-9a-f]+) [0-9a-f]+ ([A-Z])/.exec(parts[at] ?? "");
    if (match?.[1] && match[2] && match[3])
      changes.push({ oldMode: match[1], oldObject: match[2], status: match[3], path: parts[at + 1] ?? "" });
  }
  // latin1 above keeps every byte of a name through the round trip to update-index.
  return changes;
}

/** Names in git are bytes; rules speak text. */
const asText = (path: string): string => Buffer.from(path, "latin1").toString("utf8");

/**
 * The tree of `work` in which everything that `defines` names is as in `base`: changed files put back, deleted ones
 * restored, added ones left out. Equals `work` when the work touches no such file.
 */
export async function guardedTree(
  repository: Repository,
  base: string,
  work: string,
  defines: (path: string) => boolean,
): Promise<{ tree: string; restored: string[] }> {
  const changes = await changesBetween(repository, base, work);
  const guarded = changes.filter(({ path }) => defines(asText(path)));
  if (guarded.length === 0) return { tree: work, restored: [] };
  const folder = await mkdtemp(join(tmpdir(), "thehood-index-"));
  const indexFile = join(folder, "index");
  try {
    await git(repository, ["read-tree", work], { indexFile });
    const zero = "0".repeat(guarded[0]?.oldObject.length ?? 40);
    // Removals first, so that a file may come back where the work made a folder.
    const lines = [
      ...guarded.map(({ path }) => `0 ${zero}\t${path}\0`),
      ...guarded
        .filter(({ status }) => status !== "A")
        .map(({ path, oldMode, oldObject }) => `${oldMode} ${oldObject}\t${path}\0`),
    ];
    await git(repository, ["update-index", "-z", "--add", "--index-info"], {
      indexFile,
      stdin: Buffer.from(lines.join(""), "latin1"),
    });
    const { stdout } = await git(repository, ["write-tree"], { indexFile });
    return { tree: stdout.toString("utf8").trim(), restored: guarded.map(({ path }) => asText(path)) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
