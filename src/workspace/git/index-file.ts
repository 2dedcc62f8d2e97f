// Names and modes of tracked files, read from git's index file itself: versions 2 to 4.

export interface IndexEntry {
  readonly path: string;
  /** As in trees: 0o100644, 0o120000, 0o160000 … */
  readonly mode: number;
}

const headerBytes = 12;
/** Times, device, mode, owner, size: what stands before the id of an entry. */
const statBytes = 40;
const modeAt = 24;

/** Undefined when the file is no index we can read. `idBytes` is 32 in a repository with SHA-256. At most `limit` entries. */
export function parseIndex(index: Buffer, idBytes = 20, limit = 1_000_000): IndexEntry[] | undefined {
  const entries: IndexEntry[] = [];
  const end = visitEntries(index, idBytes, limit, (name, at) =>
    entries.push({ path: name.toString("utf8"), mode: index.readUInt32BE(at + modeAt) }),
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
  const end = visitEntries(index, idBytes, Infinity, (name, at) =>
    entries.push({
      path: name.toString("utf8"),
      mode: index.readUInt32BE(at + modeAt),
      id: index.toString("hex", at + statBytes, at + statBytes + idBytes),
      stage: (index.readUInt16BE(at + statBytes + idBytes) >> 12) & 3,
    }),
  );
  return end !== undefined && endsWell(index, end, idBytes) ? entries : undefined;
}

/** Whether any staged name passes the test; undefined where the entries are not the whole truth. */
export function someStaged(
  index: Buffer,
  idBytes: number,
  test: (name: Buffer) => boolean,
): boolean | undefined {
  let found = false;
  const end = visitEntries(index, idBytes, Infinity, (name) => (found ||= test(name)));
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

/** Where the entries end. */
function visitEntries(
  index: Buffer,
  idBytes: number,
  limit: number,
  visit: (name: Buffer, at: number) => void,
): number | undefined {
  if (index.length < headerBytes || index.toString("latin1", 0, 4) !== "DIRC") return undefined;
  const version = index.readUInt32BE(4);
  if (version < 2 || version > 4) return undefined;
  const count = Math.min(index.readUInt32BE(8), limit);
  let at = headerBytes;
  let previous: Buffer = Buffer.alloc(0);
  for (let entry = 0; entry < count; entry++) {
    const read = readName(index, at, { version, idBytes }, previous);
    if (!read) return undefined;
    visit(read.name, at);
    previous = read.name;
    at = read.next;
  }
  return at;
}

function readName(
  index: Buffer,
  start: number,
  { version, idBytes }: { version: number; idBytes: number },
  previous: Buffer,
): { name: Buffer; next: number } | undefined {
  const flagsAt = start + statBytes + idBytes;
  if (flagsAt + 2 > index.length) return undefined;
  const extended = version >= 3 && (index.readUInt16BE(flagsAt) & 0x4000) !== 0;
  let at = flagsAt + (extended ? 4 : 2);
  let kept: Buffer | undefined;
  if (version === 4) {
    const strip = readOffset(index, at);
    if (!strip || strip.value > previous.length) return undefined;
    kept = previous.subarray(0, previous.length - strip.value);
    at = strip.next;
  }
  const end = index.indexOf(0, at);
  if (end < 0) return undefined;
  const rest = index.subarray(at, end);
  if (kept) return { name: Buffer.concat([kept, rest]), next: end + 1 };
  const length = end - start;
  return { name: rest, next: start + length + (8 - (length % 8)) };
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
