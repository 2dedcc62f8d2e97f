// The tree of the checkout as its files are now, untracked ones included, without touching the user's index.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { temporaryRoot } from "../../system/index.ts";
import { join } from "node:path";
import type { Repository } from "../../git/index.ts";
import { stageEverything } from "./stage.ts";
import { copyIndex } from "./index-copy.ts";

export async function captureCheckout(repository: Repository): Promise<{ tree: string; skipped: string[] }> {
  const folder = mkdtempSync(join(temporaryRoot(), "thehood-index-"));
  const indexFile = join(folder, "index");
  try {
    const own = join(repository.gitDir, "index");
    if (existsSync(own)) copyIndex(own, indexFile);
    const lens = { repository, workTree: repository.top, indexFile };
    const staged = await stageEverything(lens, [], 256 << 20);
    return { tree: staged.tree, skipped: staged.skipped.map(({ path }) => path) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
