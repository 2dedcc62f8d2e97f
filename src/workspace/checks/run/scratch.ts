// Throw-away worktrees of exactly one git tree, each for one check. They hold nobody's work.
import { lstatSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import { git, type Repository } from "../../git/index.ts";

export interface Scratch {
  readonly dir: string;
  dispose(): void;
}

/** A real worktree with its own `.git`, so that tools that honour ignore rules do not see the folder as ignored. */
export async function openScratch(repository: Repository, dir: string, tree: string): Promise<Scratch> {
  await mkdir(resolve(dir, ".."), { recursive: true, mode: 0o700 });
  const commit = await git(repository, ["commit-tree", "-m", "a tree to check", tree]);
  const id = commit.stdout.toString("latin1").trim();
  await git(repository, ["worktree", "add", "--detach", "--quiet", dir, id], { timeoutMs: 600_000 });
  // Noted now: what runs in the scratch tree may rewrite the pointer.
  const admin = adminOf(repository, dir);
  return { dir, dispose: () => drop(dir, admin) };
}

/** Removes what a process that is gone left behind. Call it only while nobody else runs checks in `root`. */
export function sweepScratch(repository: Repository, root: string): void {
  if (!lstatSync(root, { throwIfNoEntry: false })?.isDirectory()) return;
  for (const name of readdirSync(root)) {
    const dir = join(root, name);
    drop(dir, adminOf(repository, dir));
  }
  rmSync(root, { recursive: true, force: true });
}

function drop(dir: string, admin: string | undefined): void {
  rmSync(dir, { recursive: true, force: true, maxRetries: 3 });
  if (admin !== undefined) rmSync(admin, { recursive: true, force: true });
}

/** git's own folder for this worktree, believed only when it names the worktree in return. */
function adminOf(repository: Repository, dir: string): string | undefined {
  const pointer = join(dir, ".git");
  if (!lstatSync(pointer, { throwIfNoEntry: false })?.isFile()) return undefined;
  const admin = resolve(
    dir,
    readFileSync(pointer, "utf8")
      .replace(/^gitdir: /, "")
      .trimEnd(),
  );
  const back = join(admin, "gitdir");
  const ours = admin.startsWith(join(repository.commonDir, "worktrees") + sep);
  if (!ours || !lstatSync(back, { throwIfNoEntry: false })?.isFile()) return undefined;
  return readFileSync(back, "utf8").trimEnd() === pointer ? admin : undefined;
}
