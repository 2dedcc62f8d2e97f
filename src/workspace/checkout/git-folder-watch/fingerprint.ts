// A fingerprint of a checkout: the paths that git lists as changed or untracked, HEAD, and the files that steer git. A file
// that is committed and unchanged needs no entry: a change of it would show. Small files are hashed; for the others the
// file system's metadata decides (ctime cannot be set back), and it saves the second fingerprint most of the reading.
import { createHash } from "node:crypto";
import { type BigIntStats, lstatSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import type { Repository } from "../../../platform/git/index.ts";
import { readStatus } from "../worktree/index.ts";
import { below, copySteering } from "./steering-files.ts";

interface FilePrint {
  /** How git sees it. */
  readonly code: string;
  /** Changes with every write, also with one that changes nothing. */
  readonly noted: string;
  /** Changes with the content; null where it was too much to read. */
  readonly content: string | null;
}
type CheckoutPrint = Readonly<Record<string, FilePrint>>;

const hashedBytes = 1024 ** 2;
const allHashedBytes = 32 * 1024 ** 2;

const sha = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex");
const entryOf = (content: string): FilePrint => ({ code: "", noted: content, content });

/** `since`: an earlier print, whose hashes still hold for what was not written. */
export async function printCheckout(
  repository: Repository,
  since: CheckoutPrint = Object.create(null) as CheckoutPrint,
): Promise<CheckoutPrint> {
  const { headers, entries } = await readStatus(repository);
  // Without a prototype, because a file may be called __proto__.
  const print = Object.create(null) as Record<string, FilePrint>;
  print[".git/HEAD"] = entryOf(`${headers.branch ?? ""} ${headers.head ?? ""}`);
  let left = allHashedBytes;
  for (const { path, code } of entries) {
    const one = printFile(join(repository.top, path), code, since[path], left);
    print[path] = one.file;
    left -= one.read;
  }
  for (const [folder, { linked, files }] of Object.entries(copySteering(repository.commonDir)))
    // Another run's worktree may come or go at any moment.
    if (!linked)
      for (const [path, entry] of Object.entries(files))
        print[`.git/${below(folder, path)}`] = entryOf(sha(JSON.stringify(entry)));
  return print;
}

function printFile(
  path: string,
  code: string,
  before: FilePrint | undefined,
  left: number,
): { file: FilePrint; read: number } {
  const stats = lstatSync(path, { throwIfNoEntry: false, bigint: true });
  if (!stats) return { file: { code, noted: "gone", content: "gone" }, read: 0 };
  const noted = [stats.mode, stats.size, stats.ino, stats.mtimeNs, stats.ctimeNs].join(" ");
  if (before?.noted === noted) return { file: { code, noted, content: before.content }, read: 0 };
  const size = Number(stats.size);
  const content = size > hashedBytes || size > left ? null : contentOf(path, stats);
  return { file: { code, noted, content }, read: content === null ? 0 : size };
}

function contentOf(path: string, stats: BigIntStats): string | null {
  try {
    if (stats.isSymbolicLink()) return `link ${readlinkSync(path)}`;
    return stats.isFile() ? `${stats.mode} ${sha(readFileSync(path))}` : null;
  } catch (error) {
    // Gone, or closed to us, between two looks.
    if (error instanceof Error && "code" in error) return null;
    throw error;
  }
}

/** The paths that differ between two prints. */
export function changedBetween(before: CheckoutPrint, after: CheckoutPrint): string[] {
  const paths = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...paths].filter((path) => !isSame(before[path], after[path])).toSorted();
}

function isSame(one: FilePrint | undefined, other: FilePrint | undefined): boolean {
  if (!one || !other || one.code !== other.code) return false;
  return one.noted === other.noted || (one.content !== null && one.content === other.content);
}
