// The tree of the checkout as its files are now, without touching the user's index.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { temporaryRoot } from "../../../platform/system/index.ts";
import { join } from "node:path";
import { toBytePath, type Repository } from "../../../platform/git/index.ts";
import { stageEverything, stageTracked, type Lens } from "./stage.ts";
import { copyIndex } from "./index-copy.ts";

async function withIndex<T>(repository: Repository, work: (lens: Lens) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(temporaryRoot(), "thehood-index-"));
  const indexFile = join(folder, "index");
  try {
    const own = join(repository.gitDir, "index");
    if (existsSync(own)) copyIndex(own, indexFile);
    return await work({ repository, workTree: repository.top, indexFile });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const mostBytes = 256 << 20;

export const captureCheckout = (repository: Repository): Promise<{ tree: string; skipped: string[] }> =>
  withIndex(repository, async (lens) => {
    const { tree, skipped } = await stageEverything(lens, [], mostBytes);
    return { tree, skipped: skipped.map(({ path }) => path) };
  });

/** The tree of the tracked files and of the given paths, and the tree of all files that git does not ignore. */
export const checkoutTree = (
  repository: Repository,
  paths: readonly string[],
): Promise<{ tree: string; whole: string }> =>
  withIndex(repository, async (lens) => {
    const tree = await stageTracked(lens, paths.map(toBytePath));
    return { tree, whole: (await stageEverything(lens, [], mostBytes)).tree };
  });
