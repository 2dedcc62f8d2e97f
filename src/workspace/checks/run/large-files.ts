// Files that Git LFS keeps outside of the commits: a tree holds a pointer instead of each. Checks need the content, as in the
// checkout; it is copied from the user's own store, since no filter program of a repository is started.
import { createHash } from "node:crypto";
import { constants, createReadStream, promises } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { git, splitRecords, type Repository } from "../../../platform/git/index.ts";
import { entryAt } from "../../../platform/system/index.ts";
import { treeFiles, type TreeFiles } from "../tree.ts";

interface LargeFile {
  readonly path: string;
  readonly sha256: string;
  /** The content in the user's store; undefined where it is not on this machine. */
  readonly content: string | undefined;
}

/** The whole text of a pointer; extensions may stand between its lines. */
const pointer =
  /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:ext-\d-[^\n]*\n)*oid sha256:([0-9a-f]{64})\nsize (\d+)\n$/;

async function filtered(repository: Repository, paths: readonly string[], workTree: string): Promise<string[]> {
  const args = ["check-attr", "-z", "--stdin", "filter"];
  const stdin = paths.map((path) => `${path}\0`).join("");
  const records = splitRecords((await git(repository, args, { stdin, workTree })).stdout);
  return paths.filter((_, at) => records[3 * at + 2] === "lfs");
}

const usesFilter = async (tree: TreeFiles): Promise<boolean> => {
  const named = tree.paths.filter((path) => path === ".gitattributes" || path.endsWith("/.gitattributes"));
  const texts = (await tree.readAll?.(named)) ?? (await Promise.all(named.map((path) => tree.read(path))));
  return texts.some((text) => /\bfilter=lfs\b/.test(text ?? ""));
};

function largeFile({ commonDir }: Repository, path: string, text: string | undefined): LargeFile[] {
  const [, sha256, bytes] = pointer.exec(text ?? "") ?? [];
  if (sha256 === undefined) return [];
  const stored = join(commonDir, "lfs/objects", sha256.slice(0, 2), sha256.slice(2, 4), sha256);
  const found = entryAt(stored);
  const isWhole = found?.isFile() === true && found.size === Number(bytes);
  return [{ path, sha256, content: isWhole ? stored : undefined }];
}

/** `workTree` holds the attributes that count. */
async function largeFiles(repository: Repository, tree: string, workTree: string): Promise<LargeFile[]> {
  const files = await treeFiles(repository, tree);
  if (!(await usesFilter(files))) return [];
  const paths = await filtered(repository, files.paths, workTree);
  const texts = await Promise.all(paths.map((path) => files.read(path)));
  return paths.flatMap((path, at) => largeFile(repository, path, texts[at]));
}

async function holds(file: string, sha256: string): Promise<boolean> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex") === sha256;
}

/** Puts the content in the place of each pointer, and gives the paths where it did. */
export async function fillLargeFiles(repository: Repository, dir: string, tree: string): Promise<string[]> {
  const filled: string[] = [];
  for (const { path, sha256, content } of await largeFiles(repository, tree, dir)) {
    // A link in its place leads elsewhere.
    if (content === undefined || entryAt(join(dir, path))?.isFile() !== true) continue;
    if (!(await holds(content, sha256))) continue;
    const { mode } = await promises.stat(join(dir, path));
    await promises.rm(join(dir, path));
    await promises.copyFile(content, join(dir, path), constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    await promises.chmod(join(dir, path), mode);
    filled.push(path);
  }
  return filled;
}

/** One line where checks would see pointers. */
export async function missingLargeFiles(repository: Repository, tree: string): Promise<string[]> {
  const missing = (await largeFiles(repository, tree, repository.top)).filter(({ content }) => content === undefined);
  if (missing.length === 0) return [];
  const named = missing.slice(0, 3).map(({ path }) => path);
  const more = missing.length > named.length ? ` and ${missing.length - named.length} more` : "";
  return [
    `Git LFS keeps the content of ${named.join(", ")}${more}, and it is not in .git/lfs: checks read a pointer instead. Get it: git lfs pull`,
  ];
}
