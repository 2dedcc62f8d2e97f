// Reads a ZIP from anywhere without trusting it: names that lead out, doubles, encryption, bombs and lying sizes are
// refused with a reason before anything is made of them.
import { createHash } from "node:crypto";
import type { Entry, ZipFile } from "yauzl";
import { isReservedName } from "../../../src/platform/paths/index.ts";

type ArchiveReason =
  | "path_empty"
  | "nul_byte"
  | "control_char_path"
  | "path_absolute"
  | "path_drive"
  | "path_backslash"
  | "path_traversal"
  | "path_reserved"
  | "duplicate_entry"
  | "casefold_collision"
  | "symlink"
  | "special_file"
  | "unsupported"
  | "too_many_entries"
  | "too_large"
  | "ratio"
  | "size_mismatch"
  | "checksum"
  | "corrupt";

export class ArchiveRefusal extends Error {
  readonly reason: ArchiveReason;
  readonly entry: string | undefined;
  constructor(reason: ArchiveReason, entry?: string, options?: ErrorOptions) {
    super(`The archive is refused: ${reason}${entry === undefined ? "" : ` (${JSON.stringify(entry)})`}`, options);
    this.name = "ArchiveRefusal";
    this.reason = reason;
    this.entry = entry;
  }
}

interface ArchiveLimits {
  readonly maxEntries?: number;
  readonly maxTotalBytes?: number;
  /** Uncompressed to compressed, for entries above a megabyte. */
  readonly maxRatio?: number;
}

interface ArchiveEntry {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

const defaults = { maxEntries: 50_000, maxTotalBytes: 1 << 30, maxRatio: 200 };
const smallEntry = 1 << 20;

/** Every file of the archive with the hash of its bytes; throws ArchiveRefusal. `see` may look at small files. */
export async function readArchive(
  path: string,
  limits: ArchiveLimits = {},
  see?: (name: string, bytes: Buffer) => void,
): Promise<ArchiveEntry[]> {
  const { openPromise } = await import("yauzl");
  const bounds = { ...defaults, ...limits };
  const judgeName = createNameJudge();
  const entries: ArchiveEntry[] = [];
  let total = 0;
  let zip: ZipFile;
  try {
    zip = await openPromise(path, { decodeStrings: false, lazyEntries: true, strictFileNames: true });
  } catch (error) {
    throw toRefusal(error);
  }
  try {
    if (zip.entryCount > bounds.maxEntries) throw new ArchiveRefusal("too_many_entries");
    for await (const entry of zip.eachEntry()) {
      const name = judgeName(entry);
      total += entry.uncompressedSize;
      if (total > bounds.maxTotalBytes) throw new ArchiveRefusal("too_large", name);
      judgeEntry(entry, name, bounds.maxRatio);
      if (!name.endsWith("/")) entries.push(await readEntry(zip, entry, name, see));
    }
    return entries;
  } catch (error) {
    throw toRefusal(error);
  } finally {
    zip.close();
  }
}

function judgeEntry(entry: Entry, name: string, maxRatio: number): void {
  if (entry.isEncrypted() || ![0, 8].includes(entry.compressionMethod)) throw new ArchiveRefusal("unsupported", name);
  const mode = (entry.externalFileAttributes >>> 16) & 0o170000;
  if (mode === 0o120000) throw new ArchiveRefusal("symlink", name);
  if (mode !== 0 && mode !== 0o100000 && mode !== 0o040000) throw new ArchiveRefusal("special_file", name);
  if (entry.uncompressedSize > smallEntry && entry.uncompressedSize > entry.compressedSize * maxRatio)
    throw new ArchiveRefusal("ratio", name);
}

async function readEntry(
  zip: ZipFile,
  entry: Entry,
  name: string,
  see: ((name: string, bytes: Buffer) => void) | undefined,
): Promise<ArchiveEntry> {
  const hash = createHash("sha256");
  const kept: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of await zip.openReadStreamPromise(entry)) {
    const piece = chunk as Buffer;
    bytes += piece.length;
    if (bytes > entry.uncompressedSize) throw new ArchiveRefusal("size_mismatch", name);
    hash.update(piece);
    if (see && bytes <= smallEntry * 16) kept.push(piece);
  }
  if (bytes !== entry.uncompressedSize) throw new ArchiveRefusal("size_mismatch", name);
  see?.(name, Buffer.concat(kept));
  return { name, bytes, sha256: hash.digest("hex") };
}

/** Names are judged as bytes first: what is no UTF-8 cannot be compared. */
function createNameJudge(): (entry: Entry) => string {
  const exact = new Set<string>();
  const folded = new Set<string>();
  return ({ fileName }) => {
    const raw = fileName as unknown as Buffer;
    const name = raw.toString("utf8");
    const reason = nameReason(name);
    if (reason) throw new ArchiveRefusal(reason, name);
    if (exact.has(name)) throw new ArchiveRefusal("duplicate_entry", name);
    const key = name.replace(/\/$/, "").normalize("NFC").toLowerCase();
    if (folded.has(key)) throw new ArchiveRefusal("casefold_collision", name);
    exact.add(name);
    folded.add(key);
    return name;
  };
}

function nameReason(name: string): ArchiveReason | undefined {
  if (name === "") return "path_empty";
  if (name.includes("\0")) return "nul_byte";
  if (/[\u0001-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/.test(name)) return "control_char_path";
  if (/^[A-Za-z]:/.test(name)) return "path_drive";
  if (name.includes("\\")) return "path_backslash";
  if (name.startsWith("/")) return "path_absolute";
  const segments = name.replace(/\/$/, "").split("/");
  if (segments.some((segment) => segment === ".." || segment === "." || segment === "")) return "path_traversal";
  return segments.some(isReservedName) ? "path_reserved" : undefined;
}

/** The reader's own complaints, by what they are about. */
function toRefusal(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ArchiveRefusal) return error;
  const code = (error as NodeJS.ErrnoException).code ?? "";
  if (["ENOENT", "EACCES", "EISDIR", "EPERM"].includes(code)) return error;
  const message = error.message;
  if (/bytes in the stream|uncompressed size|compressed size|size mismatch/i.test(message))
    return new ArchiveRefusal("size_mismatch", undefined, { cause: error });
  if (/encrypt|compression method|multi-disk|strong encryption/i.test(message))
    return new ArchiveRefusal("unsupported", undefined, { cause: error });
  return new ArchiveRefusal("corrupt", undefined, { cause: error });
}
