// Brings two trees with one common base together, as objects only: no file of a checkout is touched.
import { mkdtempSync, rmSync, existsSync } from "node:fs";
import { join } from "node:path";
import {
  fromBytePath,
  git,
  splitRecords,
  type Repository,
  type RawChange,
  toBytePath,
} from "../../../platform/git/index.ts";
import { temporaryRoot } from "../../../platform/system/index.ts";
import { commitTree } from "./pinned.ts";
import { stageEverything, stageTracked, type Lens, copyIndex } from "./stage.ts";

interface Merged {
  readonly clean: boolean;
  /** With conflict marks in the files that do not fit. */
  readonly tree: string;
  readonly conflicts: readonly string[];
}

/** Undefined with git before 2.38, which cannot do this. */
export async function mergeTrees(
  repository: Repository,
  base: string,
  ours: string,
  theirs: string,
): Promise<Merged | undefined> {
  // Own commits, so that exactly this base is the common one, whatever the history.
  const root = await commitTree(repository, base, [], "base\n");
  const [one, other] = [
    await commitTree(repository, ours, [root], "the checkout\n"),
    await commitTree(repository, theirs, [root], "the work\n"),
  ];
  const { exitCode, stdout } = await git(
    repository,
    ["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", one, other],
    { accept: [0, 1, 128, 129] },
  );
  const [tree, ...conflicts] = splitRecords(stdout);
  if (exitCode > 1 || tree === undefined) return undefined;
  return {
    clean: exitCode === 0,
    tree,
    conflicts: conflicts.filter((path) => path !== "").map(fromBytePath),
  };
}

type Entry = Pick<RawChange, "path" | "newMode" | "newId">;

/** The entries as `update-index --index-info` takes them. */
export const indexInfo = (entries: readonly Entry[]): Buffer =>
  Buffer.from(
    entries.map(({ newMode, newId, path }) => `${newMode === "000000" ? "0" : newMode} ${newId}\t${path}\0`).join(""),
    "latin1",
  );

export async function treeWith(repository: Repository, tree: string, changes: readonly Entry[]): Promise<string> {
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
    return { tree, whole: (await stageEverything(lens, [], mostBytes, tree)).tree };
  });
