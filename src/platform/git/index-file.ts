// Names and modes of tracked files, read from git's index file itself: versions 2 to 4.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { entryAt } from "../system/index.ts";
import { isStateName } from "../system/index.ts";
import type { Repository } from "./locate.ts";

interface IndexEntry {
  readonly path: string;
  /** As in trees: 0o100644, 0o120000, 0o160000 … */
  readonly mode: number;
}

const headerBytes = 12;
/** Times, device, mode, owner, size: the bytes before the id of an entry. */
const statBytes = 40;
const modeAt = 24;

/** Undefined when the file is not a readable index. `idBytes` is 32 in a repository with SHA-256. At most `limit` entries. */
export function parseIndex(index: Buffer, idBytes = 20, limit = 1_000_000): IndexEntry[] | undefined {
  const entries: IndexEntry[] = [];
  const end = visitEntries(index, idBytes, limit, (names, from, to, at) =>
    entries.push({ path: names.toString("utf8", from, to), mode: index.readUInt32BE(at + modeAt) }),
  );
  return end === undefined ? undefined : entries;
}

export interface StagedEntry extends IndexEntry {
  readonly id: string;
  /** 0, or the side of a conflict. */
  readonly stage: number;
}

/**
 * Everything that is staged. Undefined also where the entries are not the whole truth: a part of the index that a reader
 * must understand (a shared index, a sparse one) is not for us, and neither is an index that does not end as it should.
 */
export function parseStaged(index: Buffer, idBytes: number): StagedEntry[] | undefined {
  const entries: StagedEntry[] = [];
  const end = visitEntries(index, idBytes, Infinity, (names, from, to, at) =>
    entries.push({
      path: names.toString("utf8", from, to),
      mode: index.readUInt32BE(at + modeAt),
      id: index.toString("hex", at + statBytes, at + statBytes + idBytes),
      stage: (index.readUInt16BE(at + statBytes + idBytes) >> 12) & 3,
    }),
  );
  return end !== undefined && endsWell(index, end, idBytes) ? entries : undefined;
}

const slash = 0x2f;

/**
 * Whether any name at the top, one character a byte, passes the test; undefined when the entries are incomplete.
 * Entries are sorted, so the test runs once a folder.
 */
export function someTop(index: Buffer, idBytes: number, test: (top: string) => boolean): boolean | undefined {
  let found = false;
  let last = { names: index, from: 0, length: -1 };
  const end = visitEntries(index, idBytes, Infinity, (names, from, to) => {
    let length = 0;
    while (length < last.length && names[from + length] === last.names[last.from + length]) length++;
    if (length === last.length && names[from + length] === slash) return;
    length = 0;
    while (from + length < to && names[from + length] !== slash) length++;
    last = { names, from, length };
    found ||= test(names.toString("latin1", from, from + length));
  });
  return end !== undefined && endsWell(index, end, idBytes) ? found : undefined;
}

/** After the entries come optional parts, named in upper case, and the checksum; nothing else. */
function endsWell(index: Buffer, start: number, idBytes: number): boolean {
  let at = start;
  const end = index.length - idBytes;
  while (at + 8 <= end) {
    if (!/^[A-Z]/.test(index.toString("latin1", at, at + 1))) return false;
    at += 8 + index.readUInt32BE(at + 4);
  }
  return at === end;
}

/** Called for every entry: the position of its name, and of the entry in the index. */
type Visit = (names: Buffer, from: number, to: number, at: number) => void;

/** Where the entries end. */
function visitEntries(index: Buffer, idBytes: number, limit: number, visit: Visit): number | undefined {
  if (index.length < headerBytes || index.toString("latin1", 0, 4) !== "DIRC") return undefined;
  const version = index.readUInt32BE(4);
  if (version < 2 || version > 4) return undefined;
  const count = Math.min(index.readUInt32BE(8), limit);
  let at = headerBytes;
  let previous: Buffer = Buffer.alloc(0);
  for (let entry = 0; entry < count; entry++) {
    const flagsAt = at + statBytes + idBytes;
    if (flagsAt + 2 > index.length) return undefined;
    const flags = index.readUInt16BE(flagsAt);
    const from = flagsAt + (version >= 3 && (flags & 0x4000) !== 0 ? 4 : 2);
    if (version === 4) {
      const read = readShortened(index, from, previous);
      if (!read) return undefined;
      visit(read.name, 0, read.name.length, at);
      previous = read.name;
      at = read.next;
    } else {
      const to = endOfName(index, from, flags & 0xfff);
      if (to < 0) return undefined;
      visit(index, from, to, at);
      // Padded with one to eight NULs to a multiple of eight.
      at = to + 8 - ((to - at) % 8);
    }
  }
  return at;
}

/** By the length in the entry, unless the name is too long for that field. */
const endOfName = (index: Buffer, from: number, length: number): number =>
  length < 0xfff && index[from + length] === 0 ? from + length : index.indexOf(0, from);

/** Version 4 stores how much of the previous name to cut off, and what follows. */
function readShortened(index: Buffer, start: number, previous: Buffer): { name: Buffer; next: number } | undefined {
  const strip = readOffset(index, start);
  if (!strip || strip.value > previous.length) return undefined;
  const end = index.indexOf(0, strip.next);
  if (end < 0) return undefined;
  const kept = previous.subarray(0, previous.length - strip.value);
  return { name: Buffer.concat([kept, index.subarray(strip.next, end)]), next: end + 1 };
}

/** git's variable-length number, as in packs. */
function readOffset(index: Buffer, start: number): { value: number; next: number } | undefined {
  let at = start;
  let byte = index[at++];
  if (byte === undefined) return undefined;
  let value = byte & 0x7f;
  while (byte & 0x80) {
    byte = index[at++];
    if (byte === undefined || value > 1 << 24) return undefined;
    value = ((value + 1) << 7) | (byte & 0x7f);
  }
  return { value, next: at };
}

const mostBytes = 64 << 20;
const idBytes = 20;

/** False when it certainly tracks none. An index that cannot be read here, or looks like some, is for a closer look. */
export function mayTrackState({ gitDir }: Repository): boolean {
  const file = join(gitDir, "index");
  const found = entryAt(file);
  if (!found) return false;
  if (!found.isFile() || found.size > mostBytes) return true;
  return someTop(readFileSync(file), idBytes, looksLikeState) ?? true;
}

/** Plain ASCII is compared directly: an expression with Unicode properties takes long to compile. */
const looksLikeState = (top: string): boolean =>
  /^[\x20-\x7e]*$/.test(top) ? /^\.?thehoo/i.test(top) : isStateName(Buffer.from(top, "latin1").toString("utf8"));
