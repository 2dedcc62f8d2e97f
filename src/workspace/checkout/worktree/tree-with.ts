// A tree with some of its entries changed, made in an index of its own: no file and no index of the user is touched.
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { git, type RawChange, type Repository } from "../../../platform/git/index.ts";
import { temporaryRoot } from "../../../platform/system/index.ts";

type Entry = Pick<RawChange, "path" | "newMode" | "newId">;

/** The entries as `update-index --index-info` takes them. */
export const indexInfo = (entries: readonly Entry[]): Buffer =>
  Buffer.from(
    entries
      .map(({ newMode, newId, path }) => `${newMode === "000000" ? "0" : newMode} ${newId}\t${path}\0`)
      .join(""),
    "latin1",
  );

export async function treeWith(
  repository: Repository,
  tree: string,
  changes: readonly Entry[],
): Promise<string> {
  const folder = mkdtempSync(join(temporaryRoot(), "thehood-index-"));
  const around = { indexFile: join(folder, "index") };
  try {
    await git(repository, ["read-tree", tree], around);
    await git(repository, ["update-index", "-z", "--index-info"], { ...around, stdin: indexInfo(changes) });
    return (await git(repository, ["write-tree"], around)).stdout.toString("latin1").trim();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
