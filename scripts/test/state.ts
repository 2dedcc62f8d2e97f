// The state of the checkout that results belong to: its commit, and the tree of all files that git does not ignore.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";

export interface State {
  readonly commit: string;
  /** Equal to the commit's own tree when nothing is changed. */
  readonly tree: string;
}

/** Undefined outside of a git checkout. Git's index and objects are left as they are: both are written elsewhere. */
export function readState(root: string): State | undefined {
  const folder = mkdtempSync(join(tmpdir(), "thehood-state-"));
  const git = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
    execFileSync("git", args, {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      env: { ...process.env, ...env },
    }).trim();
  try {
    const commit = git(["rev-parse", "HEAD"]);
    const objects = join(folder, "objects");
    mkdirSync(objects);
    const env = {
      GIT_INDEX_FILE: join(folder, "index"),
      GIT_OBJECT_DIRECTORY: objects,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: resolve(root, git(["rev-parse", "--git-path", "objects"])),
    };
    git(["read-tree", "HEAD"], env);
    git(["add", "-A"], env);
    return { commit, tree: git(["write-tree"], env) };
  } catch (error) {
    if (error instanceof Error && "status" in error) return undefined;
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
