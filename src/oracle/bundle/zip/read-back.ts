// Reads a written archive back (the directory, each local header, all bytes) and compares it with its manifest.
import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { crc32, createInflateRaw, inflateRawSync } from "node:zlib";
import { fail } from "../../../core/contract/index.ts";
import { packageFolder, type Manifest } from "./package.ts";
import { most32, signatures } from "./records.ts";

const documents = ["CONTEXT_PACKAGE.md", "manifest.json", "excluded-files.json"];

export async function verifyPackage(path: string, manifest: Manifest): Promise<void> {
  const fd = openSync(path, "r");
  const expected = new Map(manifest.files.map((file) => [`${packageFolder}/files/${file.path}`, file]));
  const missing = new Set([...documents.map((name) => `${packageFolder}/${name}`), ...expected.keys()]);
  const wrong: string[] = [];
  try {
    for await (const { name, bytes, sha256 } of readBackZip(fd)) {
      const file = expected.get(name);
      const same = file === undefined || (file.bytes === bytes && file.sha256 === sha256);
      // An unexpected or duplicate entry is wrong too.
      if (!missing.delete(name) || !same) wrong.push(name);
    }
  } catch (error) {
    if (!(error instanceof UnsoundArchive)) throw error;
    wrong.push(error.message);
  } finally {
    closeSync(fd);
  }
  for (const name of missing) wrong.push(name);
  if (wrong.length === 0) return;
  fail("store_io", `The ZIP does not hold what was packed: ${wrong.slice(0, 5).join(", ")}.`, {
    remedy: "Pack again; if it stays, check the disk.",
  });
}

export interface FoundEntry {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** The archive is broken; the message names the entry or the part of the format. */
export class UnsoundArchive extends Error {}

const unsound = (what: string): never => {
  throw new UnsoundArchive(what);
};

function read(fd: number, at: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  for (let done = 0; done < length;) {
    const got = readSync(fd, buffer, done, length - done, at + done);
    if (got === 0) return unsound("it ends too early");
    done += got;
  }
  return buffer;
}

const big = (buffer: Buffer, at: number) => Number(buffer.readBigUInt64LE(at));

interface Directory {
  readonly count: number;
  readonly size: number;
  readonly offset: number;
}

/** Written archives have no comment, so the end record is the last 22 bytes. */
function directoryOf(fd: number): Directory {
  const { size } = fstatSync(fd);
  const end = size < 22 ? unsound("it is too short") : read(fd, size - 22, 22);
  if (end.readUInt32LE(0) !== signatures.end) return unsound("its end is missing");
  const plain = { count: end.readUInt16LE(10), size: end.readUInt32LE(12), offset: end.readUInt32LE(16) };
  if (plain.count !== 0xffff && plain.size !== most32 && plain.offset !== most32) return plain;
  const locator = read(fd, size - 42, 20);
  if (locator.readUInt32LE(0) !== signatures.locator) return plain;
  const end64 = read(fd, big(locator, 8), 56);
  if (end64.readUInt32LE(0) !== signatures.end64) return unsound("its wide end is missing");
  return { count: big(end64, 32), size: big(end64, 40), offset: big(end64, 48) };
}

interface Listed {
  readonly name: Buffer;
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly bytes: number;
  readonly offset: number;
}

function listedAt(directory: Buffer, at: number): { entry: Listed; next: number } {
  if (directory.readUInt32LE(at) !== signatures.central) return unsound("its directory is broken");
  const nameEnd = at + 46 + directory.readUInt16LE(at + 28);
  const next = nameEnd + directory.readUInt16LE(at + 30);
  let wide = nameEnd + 4;
  const number = (value: number) => {
    if (value !== most32) return value;
    wide += 8;
    return big(directory, wide - 8);
  };
  const bytes = number(directory.readUInt32LE(at + 24));
  const packed = number(directory.readUInt32LE(at + 20));
  const offset = number(directory.readUInt32LE(at + 42));
  const name = directory.subarray(at + 46, nameEnd);
  const entry = {
    name,
    method: directory.readUInt16LE(at + 10),
    crc: directory.readUInt32LE(at + 16),
    packed,
    bytes,
    offset,
  };
  return { entry, next };
}

/** Larger entries are unpacked in pieces. */
const atOnce = 16 << 20;

async function contentOf(fd: number, entry: Listed): Promise<FoundEntry> {
  const name = entry.name.toString("utf8");
  const small = entry.bytes <= atOnce && entry.packed <= atOnce;
  const fixed = 30 + entry.name.length;
  // Reads header, name and content of a small entry at once; with a ZIP64 header the content is read separately.
  const head = read(fd, entry.offset, fixed + (small ? entry.packed : 0));
  const same =
    head.readUInt32LE(0) === signatures.local &&
    head.readUInt16LE(26) === entry.name.length &&
    head.subarray(30, fixed).equals(entry.name);
  if (!same) return unsound(name);
  const extra = head.readUInt16LE(28);
  const from = entry.offset + fixed + extra;
  const hash = createHash("sha256");
  let crc = 0;
  let bytes = 0;
  const see = (piece: Uint8Array) => {
    crc = crc32(piece, crc);
    bytes += piece.length;
    hash.update(piece);
  };
  if (small) {
    const data = extra === 0 ? head.subarray(fixed) : read(fd, from, entry.packed);
    const room = { chunkSize: Math.max(64, entry.bytes), maxOutputLength: entry.bytes + 1 };
    see(entry.method === 0 ? data : inflateRawSync(data, room));
  } else await inflate(fd, from, entry, see);
  if (crc !== entry.crc || bytes !== entry.bytes) return unsound(name);
  return { name, bytes, sha256: hash.digest("hex") };
}

async function inflate(fd: number, from: number, { packed }: Listed, see: (piece: Uint8Array) => void) {
  const out = createInflateRaw();
  const seen = (async () => {
    for await (const piece of out) see(piece as Buffer);
  })();
  for (let at = 0; at < packed; at += atOnce)
    await new Promise<void>((resolve, reject) =>
      out.write(read(fd, from + at, Math.min(atOnce, packed - at)), (error) => (error ? reject(error) : resolve())),
    );
  out.end();
  await seen;
}

export async function* readBackZip(fd: number): AsyncGenerator<FoundEntry> {
  const { count, size, offset } = directoryOf(fd);
  const directory = read(fd, offset, size);
  for (let index = 0, at = 0; index < count; index += 1) {
    const { entry, next } = listedAt(directory, at);
    yield await contentOf(fd, entry);
    at = next;
  }
}
