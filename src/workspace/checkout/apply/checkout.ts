// Compares the user's work tree with git trees, path by path, by content and not by what the index believes.
import { existsSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { createHash } from "node:crypto";
import { FailureError } from "../../../core/contract/index.ts";
import { entryAt } from "../../../platform/system/index.ts";
import {
  gitSync,
  readRepositoryConfig,
  type Repository,
  fromBytePath,
  gitOnceSync,
  splitRecords,
  stagedEntries,
} from "../../../platform/git/index.ts";
import { holdParent, readPlain } from "../../../platform/paths/index.ts";
import { hash, type Print } from "./journal.ts";

export interface BlobEntry {
  readonly mode: string;
  readonly id: string;
}

/** The id that git gives these bytes, in the hash of the repository (recognised by the length of its ids). */
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

export interface WorkEntry {
  readonly kind: "file" | "symlink" | "directory" | "other";
  readonly executable: boolean;
  /** Of a file its bytes, of a link its target. Empty for the rest. */
  readonly bytes: Buffer;
}

/** The entry at a path of the work tree itself; undefined when it does not exist or a parent is not a folder. */
export function workEntry(repository: Repository, path: string): WorkEntry | undefined {
  let held;
  try {
    held = holdParent(repository.top, path);
  } catch (error) {
    if (error instanceof FailureError) return undefined;
    throw error;
  }
  try {
    const { stats } = held;
    if (!stats) return undefined;
    if (stats.isSymbolicLink())
      return { kind: "symlink", executable: false, bytes: readlinkSync(held.folder.at(held.name), "buffer") };
    if (stats.isDirectory()) return { kind: "directory", executable: false, bytes: Buffer.alloc(0) };
    const plain = readPlain(held.folder.at(held.name));
    if (!plain) return { kind: "other", executable: false, bytes: Buffer.alloc(0) };
    return { kind: "file", executable: (plain.stats.mode & 0o100) !== 0, bytes: plain.bytes };
  } finally {
    held.folder.close();
  }
}

export function printEntry(entry: WorkEntry): Print | null {
  if (entry.kind !== "file" && entry.kind !== "symlink") return null;
  return { kind: entry.kind, executable: entry.executable, sha256: hash(entry.bytes) };
}

/** How the bytes in the work tree compare with the blob: the same, or the same after the repository's own conversions. */
export type Likeness = "raw" | "converted";

export class Checkout {
  readonly repository: Repository;
  #trustsModes: boolean | undefined;
  readonly #converted = new Map<string, string>();

  constructor(repository: Repository) {
    this.repository = repository;
  }

  /** Some file systems cannot store the executable bit; the repository's configuration records that. */
  get trustsModes(): boolean {
    this.#trustsModes ??= !readRepositoryConfig(this.repository).some(
      (entry) => entry.section === "core" && entry.name === "filemode" && /^(false|no|off|0)$/i.test(entry.value ?? ""),
    );
    return this.#trustsModes;
  }

  /** Undefined when the work tree's entry differs from the tree's. Both may be "nothing". */
  likeness(
    path: string,
    wanted: BlobEntry | undefined,
    found = workEntry(this.repository, path),
  ): Likeness | undefined {
    if (!wanted || !found) return !wanted && !found ? "raw" : undefined;
    if (wanted.mode === "160000") return found.kind === "directory" ? "raw" : undefined;
    const kind = wanted.mode === "120000" ? "symlink" : "file";
    if (found.kind !== kind) return undefined;
    if (this.trustsModes && kind === "file" && found.executable !== (wanted.mode === "100755")) return undefined;
    if (blobId(found.bytes, wanted.id) === wanted.id) return "raw";
    return kind === "file" && this.#convertedId(path, found.bytes, wanted.id) === wanted.id ? "converted" : undefined;
  }

  /** The id after line endings, encodings and the like are undone, as `git add` would do it. */
  #convertedId(path: string, bytes: Buffer, like: string): string {
    const id = blobId(bytes, like);
    const key = `${path}\0${id}`;
    const known = this.#converted.get(key) ?? (this.#isPlain(path, bytes) ? id : this.#convert(path, bytes));
    this.#converted.set(key, known);
    return known;
  }

  /** Nothing can be converted: no line ends in CR LF, and no attributes file names this path. */
  #isPlain(path: string, bytes: Buffer): boolean {
    if (bytes.includes(0x0d) || existsSync(join(this.repository.commonDir, "info", "attributes"))) return false;
    const above = path.split("/").slice(0, -1);
    return [above.length, ...above.keys()].every(
      (depth) => !entryAt(join(this.repository.top, ...above.slice(0, depth), ".gitattributes")),
    );
  }

  /** Forgets how files are converted, to be asked again. */
  refresh(): void {
    this.#converted.clear();
  }

  #convert(path: string, bytes: Buffer): string {
    const options = { stdin: bytes, convertLineEndings: true };
    const { exitCode, stdout } = gitSync(this.repository, ["hash-object", "-t", "blob", "--stdin", `--path=${path}`], {
      ...options,
      accept: [0, 128],
    });
    return exitCode === 0 ? stdout.toString("latin1").trim() : "";
  }
}
