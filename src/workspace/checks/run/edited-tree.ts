// A tree with files broken on purpose, as git stores it. It is checked out and committed like the work itself: code under
// judgement that compares files with git, or their times with each other, finds no difference.
import { promises } from "node:fs";
import { join } from "node:path";
import { temporaryRoot } from "../../../platform/system/index.ts";
import { git, listTree, type Repository } from "../../../platform/git/index.ts";
import type { Edit } from "../tree.ts";

/** Files that tools write to skip work the next time: one that comes with the work can hide a fault from them. */
const isCache = (path: string): boolean =>
  /(?:^|\/)(?:__pycache__|\.mypy_cache|\.pytest_cache|\.ruff_cache)\/|\.tsbuildinfo$|(?:^|\/)\.(?:eslint|stylelint|prettier)cache$/.test(
    path,
  );

/** The tree with these edits and without the caches of tools. Edits of links, and of paths below a file, are left out. */
export async function editedTree(repository: Repository, tree: string, edits: readonly Edit[]): Promise<string> {
  const entries = await listTree(repository, tree);
  const modes = new Map(entries.map(({ path, mode }) => [path, mode]));
  const caches = entries.filter(({ path, mode }) => mode.startsWith("100") && isCache(path)).map(({ path }) => path);
  const mine = edits.filter(({ path }) => isPlainPlace(path, modes) && !caches.includes(path));
  if (mine.length === 0 && caches.length === 0) return tree;
  const folder = await promises.mkdtemp(join(temporaryRoot(), "thehood-index-"));
  const indexFile = join(folder, "index");
  try {
    await git(repository, ["read-tree", tree], { indexFile });
    const zero = "0".repeat(tree.length);
    const lines = caches.map((path) => `0 ${zero}\t${path}\0`);
    for (const { path, text } of mine) {
      if (text === null) lines.push(`0 ${zero}\t${path}\0`);
      else lines.push(`${modes.get(path) ?? "100644"} ${await blobOf(repository, text)}\t${path}\0`);
    }
    await git(repository, ["update-index", "-z", "--add", "--index-info"], {
      indexFile,
      stdin: Buffer.from(lines.join(""), "utf8"),
    });
    return (await git(repository, ["write-tree"], { indexFile })).stdout.toString("latin1").trim();
  } finally {
    await promises.rm(folder, { recursive: true, force: true });
  }
}

/** A file, or a new path whose folders are no files, links or submodules. */
function isPlainPlace(path: string, modes: ReadonlyMap<string, string>): boolean {
  const parts = path.split("/");
  const above = parts.slice(1).map((_, at) => parts.slice(0, at + 1).join("/"));
  return (modes.get(path) ?? "100644").startsWith("100") && above.every((folder) => !modes.has(folder));
}

async function blobOf(repository: Repository, text: string): Promise<string> {
  const made = await git(repository, ["hash-object", "-w", "--stdin"], { stdin: Buffer.from(text, "utf8") });
  return made.stdout.toString("latin1").trim();
}
