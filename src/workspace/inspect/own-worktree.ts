// Whether a `.git` file makes its folder a worktree of the repository that is looked at, as git itself keeps it.
import { dirname, join, resolve } from "node:path";
import { entryAt } from "../../platform/system/index.ts";
import { readFileText } from "./read.ts";

/** The folder that a `.git` file leads to. */
export function pointerTarget(gitFile: string): { readonly written: string; readonly end: string } {
  const written = (readFileText(gitFile, 8192) ?? "").replace(/^gitdir: /, "").trim();
  return { written, end: resolve(dirname(gitFile), written) };
}

/** Git's folder names it back and shares the repository's configuration. One with a configuration of its own does not count. */
export function isOwnWorktree(gitFile: string, commonDir: string): boolean {
  const { end } = pointerTarget(gitFile);
  const named = (name: string) => resolve(end, (readFileText(join(end, name), 8192) ?? "").trim());
  return (
    dirname(end) === join(commonDir, "worktrees") &&
    named("gitdir") === gitFile &&
    named("commondir") === commonDir &&
    entryAt(join(end, "config.worktree")) === undefined
  );
}
