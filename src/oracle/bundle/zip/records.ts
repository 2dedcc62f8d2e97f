// The records of the ZIP format that we write: local headers, the directory, and its end, with ZIP64 where sizes need it.

export interface ZipEntry {
  readonly name: Buffer;
  readonly method: 0 | 8;
  readonly crc: number;
  readonly packed: number;
  readonly bytes: number;
  readonly offset: number;
}

export const signatures = {
  local: 0x04034b50,
  central: 0x02014b50,
  end: 0x06054b50,
  end64: 0x06064b50,
  locator: 0x07064b50,
};
/** Names are UTF-8. */
const flags = 0x0800;
/** 1 January 1980, the first day that the format knows: the same input gives the same bytes. */
const day = 0x0021;
/** Made on a Unix-like system, a plain file that its owner writes and all read. */
const madeBy = 3 << 8;
const plainFile = (0o100644 << 16) >>> 0;
export const most32 = 0xffffffff;
const most16 = 0xffff;

export const needs64 = (size: number): boolean => size >= most32;
const short = (size: number) => (needs64(size) ? most32 : size);
const versionFor = (wide: boolean) => (wide ? 45 : 20);

/** The extra field that holds what does not fit: each number given, eight bytes each. */
function wideField(numbers: readonly number[]): Buffer {
  if (numbers.length === 0) return Buffer.alloc(0);
  const field = Buffer.alloc(4 + numbers.length * 8);
  field.writeUInt16LE(1, 0);
  field.writeUInt16LE(numbers.length * 8, 2);
  for (const [index, number] of numbers.entries()) field.writeBigUInt64LE(BigInt(number), 4 + index * 8);
  return field;
}

/** `wide` is decided before the sizes are known, so that the header keeps its length when it is rewritten. */
export function localHeader(entry: Omit<ZipEntry, "offset">, wide: boolean): Buffer {
  const extra = wide ? wideField([entry.bytes, entry.packed]) : Buffer.alloc(0);
  const head = Buffer.alloc(30);
  head.writeUInt32LE(signatures.local, 0);
  head.writeUInt16LE(versionFor(wide), 4);
  head.writeUInt16LE(flags, 6);
  head.writeUInt16LE(entry.method, 8);
  head.writeUInt16LE(day, 12);
  head.writeUInt32LE(entry.crc, 14);
  head.writeUInt32LE(wide ? most32 : entry.packed, 18);
  head.writeUInt32LE(wide ? most32 : entry.bytes, 22);
  head.writeUInt16LE(entry.name.length, 26);
  head.writeUInt16LE(extra.length, 28);
  return Buffer.concat([head, entry.name, extra]);
}

export function directoryEntry(entry: ZipEntry): Buffer {
  const extra = wideField([entry.bytes, entry.packed, entry.offset].filter(needs64));
  const head = Buffer.alloc(46);
  head.writeUInt32LE(signatures.central, 0);
  head.writeUInt16LE(madeBy | versionFor(extra.length > 0), 4);
  head.writeUInt16LE(versionFor(extra.length > 0), 6);
  head.writeUInt16LE(flags, 8);
  head.writeUInt16LE(entry.method, 10);
  head.writeUInt16LE(day, 14);
  head.writeUInt32LE(entry.crc, 16);
  head.writeUInt32LE(short(entry.packed), 20);
  head.writeUInt32LE(short(entry.bytes), 24);
  head.writeUInt16LE(entry.name.length, 28);
  head.writeUInt16LE(extra.length, 30);
  head.writeUInt32LE(plainFile, 38);
  head.writeUInt32LE(short(entry.offset), 42);
  return Buffer.concat([head, entry.name, extra]);
}

/** The end of the archive, with the ZIP64 records before it where the directory is large or far from the start. */
export function endRecords(count: number, size: number, offset: number): Buffer {
  const wide = count >= most16 || needs64(size) || needs64(offset);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(signatures.end, 0);
  end.writeUInt16LE(Math.min(count, most16), 8);
  end.writeUInt16LE(Math.min(count, most16), 10);
  end.writeUInt32LE(short(size), 12);
  end.writeUInt32LE(short(offset), 16);
  if (!wide) return end;
  const end64 = Buffer.alloc(56);
  end64.writeUInt32LE(signatures.end64, 0);
  end64.writeBigUInt64LE(44n, 4);
  end64.writeUInt16LE(madeBy | 45, 12);
  end64.writeUInt16LE(45, 14);
  end64.writeBigUInt64LE(BigInt(count), 24);
  end64.writeBigUInt64LE(BigInt(count), 32);
  end64.writeBigUInt64LE(BigInt(size), 40);
  end64.writeBigUInt64LE(BigInt(offset), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(signatures.locator, 0);
  locator.writeBigUInt64LE(BigInt(offset + size), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([end64, locator, end]);
}
