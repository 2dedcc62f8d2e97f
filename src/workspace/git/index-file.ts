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
  if (index.length < headerBytes || index.toString("latin1", 0, 4) !== "DIRC") return undefined;
  const version = index.readUInt32BE(4);
  if (version < 2 || version > 4) return undefined;
  const count = Math.min(index.readUInt32BE(8), limit);
  const entries: IndexEntry[] = [];
  let at = headerBytes;
  let previous = Buffer.alloc(0);
  for (let entry = 0; entry < count; entry++) {
    const read = readName(index, at, { version, idBytes }, previous);
    if (!read) return undefined;
    entries.push({ path: read.name.toString("utf8"), mode: index.readUInt32BE(at + modeAt) });
    previous = read.name;
    at = read.next;
  }
  return entries;
}

function readName(
  index: Buffer,
  start: number,
  { version, idBytes }: { version: number; idBytes: number },
  previous: Buffer,
): { name: Buffer<ArrayBuffer>; next: number } | undefined {
  const flagsAt = start + statBytes + idBytes;
  if (flagsAt + 2 > index.length) return undefined;
  const extended = version >= 3 && (index.readUInt16BE(flagsAt) & 0x4000) !== 0;
  let at = flagsAt + (extended ? 4 : 2);
  let kept = Buffer.alloc(0);
  if (version === 4) {
    const strip = readOffset(index, at);
    if (!strip || strip.value > previous.length) return undefined;
    kept = Buffer.from(previous.subarray(0, previous.length - strip.value));
    at = strip.next;
  }
  const end = index.indexOf(0, at);
  if (end < 0) return undefined;
  const name = Buffer.concat([kept, index.subarray(at, end)]);
  if (version === 4) return { name, next: end + 1 };
  const length = end - start;
  return { name, next: start + length + (8 - (length % 8)) };
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
