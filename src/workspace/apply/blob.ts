// Entries of git trees: listed, read, and compared with bytes without asking git for each.
import { createHash } from "node:crypto";
import { fail } from "../../contract/index.ts";
import {
  fromBytes,
  git,
  gitOnceSync,
  knownAnswer,
  rememberAnswer,
  splitRecords,
  stagedEntries,
  type Repository,
} from "../git/index.ts";

export interface TreeEntry {
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

function parseTree(output: Buffer): Map<string, TreeEntry> {
  const entries = new Map<string, TreeEntry>();
  for (const record of splitRecords(output)) {
    const tab = record.indexOf("\t");
    const [mode = "", , id = ""] = record.slice(0, tab).split(" ");
    entries.set(fromBytes(record.slice(tab + 1)), { mode, id });
  }
  return entries;
}

const listing = (tree: string) => ["ls-tree", "-r", "-z", "--full-tree", tree];

export function readTreeSync(repository: Repository, tree: string): Map<string, TreeEntry> {
  return parseTree(gitOnceSync(repository, listing(tree)).stdout);
}

/** What is staged: path → mode and id. Unmerged paths are listed with the id "unmerged". */
export function readIndexSync(repository: Repository): Map<string, TreeEntry> {
  const entries = new Map<string, TreeEntry>();
  for (const { path, mode, id, stage } of stagedEntries(repository))
    entries.set(path, { mode: mode.toString(8).padStart(6, "0"), id: stage === 0 ? id : "unmerged" });
  return entries;
}

const question = (id: string) => ["cat-file", "blob", id];

/** The bytes of many blobs in one call, in order; none for those that are known. */
export async function readBlobs(repository: Repository, ids: readonly string[]): Promise<Buffer[]> {
  const found = new Map(ids.map((id) => [id, knownAnswer(repository, question(id))]));
  const unknown = [...found.keys()].filter((id) => found.get(id) === undefined);
  for (const [index, blob] of (await askBlobs(repository, unknown)).entries()) {
    const id = unknown[index] ?? "";
    rememberAnswer(repository, question(id), blob);
    found.set(id, blob);
  }
  return ids.map((id) => found.get(id) ?? Buffer.alloc(0));
}

async function askBlobs(repository: Repository, ids: readonly string[]): Promise<Buffer[]> {
  if (ids.length === 0) return [];
  const { stdout } = await git(repository, ["cat-file", "--batch", "--buffer"], {
    stdin: `${ids.join("\n")}\n`,
    maxBytes: 1 << 30,
    timeoutMs: 600_000,
  });
  const blobs: Buffer[] = [];
  let at = 0;
  for (const id of ids) {
    const end = stdout.indexOf(10, at);
    const header = stdout.toString("latin1", at, end).split(" ");
    const size = Number(header[2]);
    if (header[0] !== id || header[1] !== "blob" || !Number.isSafeInteger(size))
      fail("git_failed", `Object ${id} cannot be read from the repository.`, { remedy: "Run: git fsck" });
    blobs.push(stdout.subarray(end + 1, end + 1 + size));
    at = end + 1 + size + 1;
  }
  return blobs;
}

export const isExecutableMode = (mode: string) => mode === "100755";
