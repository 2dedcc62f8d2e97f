// Throw-away copies of exactly one git tree, each for one check. They hold no work, and look like a checkout.
import { promises, rmSync, rmdirSync } from "node:fs";
import { dirname, resolve, sep, join } from "node:path";
import { systemCode, entryAt } from "../../../platform/system/index.ts";
import {
  withGcPaused,
  bringIn,
  forgetWorktrees,
  git,
  type Repository,
  settingKey,
  readRepositoryConfig,
} from "../../../platform/git/index.ts";
import type { Edit } from "../tree.ts";
import { editedTree } from "./edited-tree.ts";
import { fillLargeFiles } from "./large-files.ts";

export interface Scratch {
  readonly dir: string;
  /** The tree that is checked out: the one that was asked for, with the edits. */
  readonly tree: string;
  dispose(): void;
}

/** `alone`: one commit without parents and without the objects of the repository. `none`: no git folder. */
type History = "committed" | "detached" | "alone" | "none";

/**
 * A checkout with a git folder of its own, so that tools that honour ignore rules do not see the folder as ignored. No ref
 * leads to a tree with edits: git's record of the worktree keeps it from a gc until the scratch tree is disposed.
 */
export async function openScratch(
  repository: Repository,
  dir: string,
  given: string,
  history: History = "committed",
  edits: readonly Edit[] = [],
): Promise<Scratch> {
  const tree = await withGcPaused(repository, async (where) => {
    const made = await editedTree(where, given, edits);
    const commit = await git(where, ["commit-tree", "-m", "a tree to check", made]);
    const id = commit.stdout.toString("latin1").trim();
    await bringIn(where, id);
    if (where.aside) drop(repository, dir);
    await promises.mkdir(resolve(dir, ".."), { recursive: true, mode: 0o700 });
    await git(repository, ["worktree", "add", "--detach", "--quiet", dir, id], { timeoutMs: 600_000 });
    // A prune that looked before the worktree was there takes objects away until now: what is missing is made again.
    const filled = await fillLargeFiles(repository, dir, made);
    if (history !== "none") await ownGitFolder(repository, dir, made, history, filled);
    return made;
  });
  if (history === "none") {
    forgetWorktrees(repository, (folder) => folder === dir);
    await promises.rm(join(dir, ".git"));
  }
  return { dir, tree, dispose: () => drop(repository, dir) };
}

/** Removes the scratch worktrees of a process that is gone. Call it only while no other process runs checks in `root`. */
export function sweepScratch(repository: Repository, root: string): void {
  const below = root + sep;
  forgetWorktrees(repository, (folder) => folder.startsWith(below));
  rmSync(root, { recursive: true, force: true, maxRetries: 3 });
}

function drop(repository: Repository, dir: string): void {
  forgetWorktrees(repository, (folder) => folder === dir);
  rmSync(dir, { recursive: true, force: true, maxRetries: 3 });
  // The run may now wait for a person without a deadline; no file of it may remain outside its repository.
  try {
    rmdirSync(dirname(dir));
  } catch (error) {
    if (systemCode(error) !== "ENOTEMPTY" && systemCode(error) !== "ENOENT") throw error;
  }
}

/** The index holds pointers, and no filter runs in the copy: without this each file that was filled would be a change. */
async function takeAsUnchanged(
  repository: Repository,
  workTree: string,
  indexFile: string,
  paths: readonly string[],
): Promise<void> {
  const stdin = paths.map((path) => `${path}\0`).join("");
  await git(repository, ["update-index", "--assume-unchanged", "-z", "--stdin"], { workTree, indexFile, stdin });
}

async function ownGitFolder(
  repository: Repository,
  dir: string,
  tree: string,
  history: Exclude<History, "none">,
  filled: readonly string[],
): Promise<void> {
  const pointer = (await promises.readFile(join(dir, ".git"), "utf8")).replace(/^gitdir: /, "").trimEnd();
  if (filled.length > 0) await takeAsUnchanged(repository, dir, join(pointer, "index"), filled);
  const index = await promises.readFile(join(pointer, "index"));
  await promises.rm(join(dir, ".git"));
  const own = (name: string) => join(dir, ".git", name);
  for (const folder of ["objects/info", "refs/heads", "refs/tags", "info", "hooks"])
    await promises.mkdir(own(folder), { recursive: true });
  const isAlone = history === "alone";
  const { commit, branch } = await commitOf(repository, tree, own("objects"), isAlone);
  const attached = branch !== null && history !== "detached";
  await promises.writeFile(own("HEAD"), attached ? `ref: ${branch}\n` : `${commit}\n`);
  const refs = isAlone ? (branch === null ? "" : `${commit} ${branch}\n`) : await refsOf(repository, branch, commit);
  await promises.writeFile(own("packed-refs"), refs);
  await promises.writeFile(own("index"), index);
  await promises.writeFile(own("config"), configOf(repository));
  await copy(join(repository.commonDir, "info/exclude"), own("info/exclude"));
  if (isAlone) {
    await promises.mkdir(own("objects/pack"));
    // git begins a pack where new objects go, and then renames it: in the repository that would be another disk, perhaps, and
    // a `git prune` of the user takes unfinished packs away.
    const args = ["pack-objects", "--revs", "--quiet", own("objects/pack/pack")];
    await git(repository, args, { stdin: `${tree}\n`, objectDirectory: own("objects") });
    return;
  }
  await promises.writeFile(own("objects/info/alternates"), `${join(repository.commonDir, "objects")}\n`);
  await copy(join(repository.commonDir, "shallow"), own("shallow"));
}

/**
 * Lends the objects of the repository in a sandbox, where the scratch tree is mounted over the checkout and hides it.
 * They are added to the folder's own objects, which hold the last commit.
 */
export async function mountObjects(
  { commonDir }: Repository,
  dir: string,
): Promise<readonly { readonly path: string; readonly from: string }[]> {
  const folders = await objectFolders(join(commonDir, "objects"));
  const lent = folders.map((from, at) => ({ path: `.git/shared/${at}`, from }));
  for (const { path } of lent) await promises.mkdir(join(dir, path), { recursive: true });
  const lines = lent.map((_, at) => `../shared/${at}\n`);
  await promises.writeFile(join(dir, ".git/objects/info/alternates"), lines.join(""));
  return lent;
}

/** A folder of objects, and those that it borrows from (`git clone --shared`), as far as they are git's own folders. */
async function objectFolders(own: string): Promise<readonly string[]> {
  const found = [own];
  for (let at = 0; at < found.length && found.length < 10; at += 1) {
    const folder = found[at] ?? own;
    const file = join(folder, "info/alternates");
    const text = entryAt(file)?.isFile() ? await promises.readFile(file, "utf8") : "";
    const named = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    for (const other of named.map((line) => resolve(folder, line)))
      if (isObjectFolder(other) && !found.includes(other)) found.push(other);
  }
  return found;
}

const isObjectFolder = (folder: string): boolean =>
  ["pack", "info", "../refs"].every((name) => entryAt(join(folder, name))?.isDirectory()) &&
  entryAt(join(folder, "../HEAD"))?.isFile() === true;

const copy = async (from: string, to: string): Promise<void> => {
  const bytes = await promises.readFile(from).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (bytes) await promises.writeFile(to, bytes);
};

async function gitLine(repository: Repository, args: readonly string[]): Promise<string | null> {
  const { exitCode, stdout } = await git(repository, args, { accept: [0, 1, 128] });
  return exitCode === 0 ? stdout.toString("utf8").trimEnd() : null;
}

/**
 * The checkout's own commit where it has this tree; else one on top of it, with the same author. It is stored in the
 * folder itself: no ref of the repository leads to it.
 */
async function commitOf(
  repository: Repository,
  tree: string,
  objectDirectory: string,
  isAlone: boolean,
): Promise<{ commit: string; branch: string | null }> {
  const branch = await gitLine(repository, ["symbolic-ref", "-q", "HEAD"]);
  const head = await gitLine(repository, ["rev-parse", "-q", "--verify", "HEAD^{commit}"]);
  if (!isAlone && head !== null && (await gitLine(repository, ["rev-parse", `${head}^{tree}`])) === tree)
    return { commit: head, branch };
  const words = head === null ? "start" : ((await gitLine(repository, ["log", "-1", "--format=%s", head])) ?? "");
  const parents = head === null || isAlone ? [] : ["-p", head];
  const made = await git(repository, ["commit-tree", "-m", words || "work", ...parents, tree], {
    objectDirectory,
  });
  return { commit: made.stdout.toString("latin1").trim(), branch };
}

/** Only the refs of the user: there is one of ours for each run, and reading them all would cost more with each run. */
async function refsOf(repository: Repository, branch: string | null, commit: string): Promise<string> {
  const args = ["for-each-ref", "--format=%(objectname) %(refname)", "refs/heads/", "refs/tags/", "refs/remotes/"];
  const lines = (await gitLine(repository, args)) ?? "";
  const kept = lines.split("\n").filter((line) => line !== "" && !line.endsWith(` ${branch}`));
  const all = branch === null ? kept : [...kept, `${commit} ${branch}`];
  return all
    .toSorted((a, b) => (a.slice(a.indexOf(" ")) < b.slice(b.indexOf(" ")) ? -1 : 1))
    .map((line) => `${line}\n`)
    .join("");
}

/** The few settings on how files are stored; none of them starts a program. */
const kept =
  /^(?:core\.(?:autocrlf|eol|ignorecase|filemode|symlinks|precomposeunicode)|extensions\.objectformat|user\.(?:name|email))$/;

function configOf(repository: Repository): string {
  const settings = readRepositoryConfig(repository).filter(
    (entry) => kept.test(settingKey(entry)) && entry.value !== null,
  );
  const format = settings.some(({ section }) => section === "extensions") ? 1 : 0;
  const lines = settings.map(({ section, name, value }) => `[${section}]\n\t${name} = ${JSON.stringify(value)}\n`);
  return `[core]\n\trepositoryformatversion = ${format}\n\tbare = false\n\tlogallrefupdates = true\n${lines.join("")}`;
}
