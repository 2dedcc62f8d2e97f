// Makes the tree that judges work by the base commit's rules: the work, with every file that defines a check as it was.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fromBytes, git, type Repository } from "../../git/index.ts";
import { listChanges } from "../../worktree/index.ts";

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
  const changes = await listChanges(repository, base, work);
  const guarded = changes.filter(({ path }) => defines(fromBytes(path)));
  if (guarded.length === 0) return { tree: work, restored: [] };
  const folder = await mkdtemp(join(tmpdir(), "thehood-index-"));
  const indexFile = join(folder, "index");
  try {
    await git(repository, ["read-tree", work], { indexFile });
    const zero = "0".repeat(guarded[0]?.oldId.length ?? 40);
    // Removals first, so that a file may come back where the work made a folder.
    const lines = [
      ...guarded.map(({ path }) => `0 ${zero}\t${path}\0`),
      ...guarded
        .filter(({ status }) => status !== "A")
        .map(({ path, oldMode, oldId }) => `${oldMode} ${oldId}\t${path}\0`),
    ];
    await git(repository, ["update-index", "-z", "--add", "--index-info"], {
      indexFile,
      stdin: Buffer.from(lines.join(""), "latin1"),
    });
    const { stdout } = await git(repository, ["write-tree"], { indexFile });
    return { tree: stdout.toString("utf8").trim(), restored: guarded.map(({ path }) => fromBytes(path)) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
