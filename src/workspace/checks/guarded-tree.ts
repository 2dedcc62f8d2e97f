// Makes the tree that judges work by the base commit's rules: the work, with every file that defines a check as it was.
import { promises } from "node:fs";
import { temporaryRoot } from "../../platform/system/index.ts";
import { join } from "node:path";
import { fromBytePath, git, type RawChange, type Repository } from "../../platform/git/index.ts";
import { listChanges } from "../checkout/worktree/index.ts";

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
  const guarded = changes.filter(({ path }) => defines(fromBytePath(path)));
  if (guarded.length === 0) return { tree: work, restored: [] };
  const folder = await promises.mkdtemp(join(temporaryRoot(), "thehood-index-"));
  const indexFile = join(folder, "index");
  try {
    await git(repository, ["read-tree", work], { indexFile });
    const zero = "0".repeat(guarded[0]?.oldId.length ?? 40);
    const back = guarded.filter(({ status }) => status !== "A");
    // Removals first, so that a file may come back where the work made a folder, or a folder where it made a file.
    const lines = [
      ...[...guarded, ...inTheWay(changes, back)].map(({ path }) => `0 ${zero}\t${path}\0`),
      ...back.map(({ path, oldMode, oldId }) => `${oldMode} ${oldId}\t${path}\0`),
    ];
    await git(repository, ["update-index", "-z", "--add", "--index-info"], {
      indexFile,
      stdin: Buffer.from(lines.join(""), "latin1"),
    });
    const { stdout } = await git(repository, ["write-tree"], { indexFile });
    return { tree: stdout.toString("utf8").trim(), restored: guarded.map(({ path }) => fromBytePath(path)) };
  } finally {
    await promises.rm(folder, { recursive: true, force: true });
  }
}

/** Work that took the place of something that comes back: a file where a folder was, or the other way round. */
function inTheWay(changes: readonly RawChange[], back: readonly RawChange[]): RawChange[] {
  const files = new Set(back.map(({ path }) => path));
  const folders = new Set(back.flatMap(({ path }) => above(path)));
  return changes.filter(
    ({ path, status }) => status !== "D" && (folders.has(path) || above(path).some((one) => files.has(one))),
  );
}

function above(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}
