// Differences between two trees, independent of settings in the work tree.
import { mkdtempSync, rmdirSync } from "node:fs";
import { temporaryRoot } from "../../../platform/system/index.ts";
import { join } from "node:path";
import { fail } from "../../../core/contract/index.ts";
import { gitOnce, parseRaw, rememberAnswer, type RawChange, type Repository } from "../../../platform/git/index.ts";

interface TreeDifference {
  readonly changes: readonly RawChange[];
  /** `git diff --binary --full-index`, byte for byte. */
  readonly patch: Buffer;
}

const listing = ["diff-tree", "-r", "--raw", "-z", "--no-renames", "--no-abbrev"];

/**
 * The changes from one tree to another, listed and as a patch. git reads `.gitattributes` from the work tree and the
 * index, where a worker could declare its files binary to hide them from review; so it is given an empty folder and no
 * index.
 */
export async function compareTrees(repository: Repository, from: string, to: string): Promise<TreeDifference> {
  if (from === to) return { changes: [], patch: Buffer.alloc(0) };
  const empty = mkdtempSync(join(temporaryRoot(), "thehood-empty-"));
  try {
    const around = { workTree: empty, indexFile: join(empty, "index"), timeoutMs: 600_000 };
    const args = [...listing, "-p", "--binary", "--full-index", from, to];
    const { list, patch } = split((await gitOnce(repository, args, around)).stdout);
    rememberAnswer(repository, [...listing, from, to], list);
    return { changes: parseRaw(list), patch };
  } finally {
    rmdirSync(empty);
  }
}

/** The list ends where no record begins; a NUL separates it from the patch, whose own names are quoted. */
function split(both: Buffer): { list: Buffer; patch: Buffer } {
  let end = 0;
  while (both[end] === 0x3a) {
    const path = both.indexOf(0, end) + 1;
    const next = both.indexOf(0, path) + 1;
    if (path === 0 || next === 0) break;
    end = next;
  }
  const patch = both.subarray(both[end] === 0 ? end + 1 : end);
  if (patch.length > 0 && !patch.subarray(0, 11).equals(Buffer.from("diff --git ")))
    fail("git_failed", "git shows the difference between two trees in a form that we do not know.", {
      remedy: "Tell us the version of your git: git version",
    });
  return { list: both.subarray(0, end), patch };
}

export const diffTrees = async (repository: Repository, from: string, to: string): Promise<Buffer> =>
  (await compareTrees(repository, from, to)).patch;

/** `objectDirectory`: an additional location of the trees' objects. */
export async function listChanges(
  repository: Repository,
  from: string,
  to: string,
  around: { readonly objectDirectory?: string } = {},
): Promise<RawChange[]> {
  const { stdout } = await gitOnce(repository, [...listing, from, to], around);
  return parseRaw(stdout);
}
