// Entries of git trees: listed, and compared with bytes without asking git for each.
import { createHash } from "node:crypto";
import {
  fromBytePath,
  gitOnceSync,
  splitRecords,
  stagedEntries,
  type Repository,
} from "../../../platform/git/index.ts";

export interface BlobEntry {
  readonly mode: string;
  readonly id: string;
}

/** The id git gives these bytes, in the hash the repository uses (told by the length of its ids). */
export function blobId(bytes: Uint8Array, like: string): string {
  return createHash(like.length === 64 ? "sha256" : "sha1")
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest("hex");
}

function parseTree(output: Buffer): Map<string, BlobEntry> {
  const entries = new Map<string, BlobEntry>();
  for (const record of splitRecords(output)) {
    const tab = record.indexOf("\t");
    const [mode = "", , id = ""] = record.slice(0, tab).split(" ");
    entries.set(fromBytePath(record.slice(tab + 1)), { mode, id });
  }
  return entries;
}

const listing = (tree: string) => ["ls-tree", "-r", "-z", "--full-tree", tree];

export function readTreeSync(repository: Repository, tree: string): Map<string, BlobEntry> {
  return parseTree(gitOnceSync(repository, listing(tree)).stdout);
}

/** The staged entries: path → mode and id. Unmerged paths are listed with the id "unmerged". */
export function readIndexSync(repository: Repository): Map<string, BlobEntry> {
  const entries = new Map<string, BlobEntry>();
  for (const { path, mode, id, stage } of stagedEntries(repository))
    entries.set(path, { mode: mode.toString(8).padStart(6, "0"), id: stage === 0 ? id : "unmerged" });
  return entries;
}
