// SQLite silently drops everything behind the first bad frame of its write-ahead log. That is right for the torn tail of
// a crash, and a silent loss when a byte in the middle was altered. This check distinguishes the two.
import { readFileSync } from "node:fs";
import { systemCode } from "../system/index.ts";

const headerSize = 32;
const frameHeaderSize = 24;
/** Every store has SQLite's default page size; another one in the header was altered. */
const pageSize = 4_096;

type Sum = readonly [number, number];

interface Frames {
  /** Frames that SQLite will use. */
  readonly good: number;
  /** Commits of the same generation behind the first bad frame. */
  readonly lost: number;
  /** Where the first bad frame begins. */
  readonly at: number;
  /** The first bad frame is whole but names another generation, which no crash can do. */
  readonly foreign: boolean;
}

/**
 * The fault of the log beside this database, or undefined. One transaction may be torn: it was never
 * acknowledged. Two cannot be, because the second begins only when the first is on the disk.
 */
export function damagedWal(file: string): string | undefined {
  const first = look(file);
  if (first === undefined) return undefined;
  // A live writer may have been caught in the middle of a frame: real damage is still there, unchanged, later.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  return look(file) === first ? first : undefined;
}

function look(file: string): string | undefined {
  const bytes = readIfThere(`${file}-wal`);
  if (bytes === undefined || bytes.length <= headerSize + frameHeaderSize) return undefined;
  const magic = bytes.readUInt32BE(0);
  const stored: Sum = [bytes.readUInt32BE(24), bytes.readUInt32BE(28)];
  const little = magic === 0x377f0682;
  if ((little || magic === 0x377f0683) && same(checksum(bytes, 0, 24, [0, 0], little), stored))
    return inFrames(scan(bytes, bytes.subarray(16, 24), stored, little));
  return withoutHeader(file, bytes, stored);
}

/**
 * The header does not hold together. A power loss may tear it when the log is begun anew, but then every frame in it
 * has been copied into the database before; frames that belong together and are not there would be lost.
 */
function withoutHeader(file: string, bytes: Buffer, stored: Sum): string | undefined {
  const salts = bytes.subarray(headerSize + 8, headerSize + 16);
  for (const little of [true, false])
    for (const seed of [stored, checksum(bytes, 0, 24, [0, 0], little)]) {
      const lost = notCopied(file, bytes, scan(bytes, salts, seed, little).good);
      if (lost > 0) return `the header of the write-ahead log was altered, and ${lost} pages would be lost`;
    }
  return undefined;
}

/** How many pages have a committed form among the first frames that the database does not have. */
function notCopied(file: string, bytes: Buffer, frames: number): number {
  const size = frameHeaderSize + pageSize;
  const startOf = (frame: number) => headerSize + frame * size;
  let committed = frames;
  while (committed > 0 && bytes.readUInt32BE(startOf(committed - 1) + 4) === 0) committed -= 1;
  if (committed === 0) return 0;
  const latest = new Map<number, Buffer>();
  for (let frame = 0; frame < committed; frame++) {
    const at = startOf(frame);
    latest.set(bytes.readUInt32BE(at), bytes.subarray(at + frameHeaderSize, at + size));
  }
  const database = readIfThere(file) ?? Buffer.alloc(0);
  const copied = ([page, content]: [number, Buffer]) =>
    content.equals(database.subarray((page - 1) * pageSize, page * pageSize));
  return [...latest].filter((found) => !copied(found)).length;
}

function inFrames({ lost, at, foreign }: Frames): string | undefined {
  if (lost < 2 && !foreign) return undefined;
  return `the write-ahead log was altered at byte ${at}, and what follows would be lost`;
}

function scan(bytes: Buffer, salts: Buffer, seed: Sum, little: boolean): Frames {
  const size = frameHeaderSize + pageSize;
  let sum = seed;
  let at = headerSize;
  let good = 0;
  let foreign = false;
  for (; at + size <= bytes.length; at += size, good += 1) {
    const next = checksum(
      bytes,
      at + frameHeaderSize,
      size - frameHeaderSize,
      checksum(bytes, at, 8, sum, little),
      little,
    );
    const stored: Sum = [bytes.readUInt32BE(at + 16), bytes.readUInt32BE(at + 20)];
    const ours = salts.equals(bytes.subarray(at + 8, at + 16));
    foreign = same(next, stored) && !ours;
    if (!same(next, stored) || !ours) break;
    sum = next;
  }
  let lost = 0;
  for (let rest = at; rest + size <= bytes.length; rest += size)
    if (bytes.readUInt32BE(rest + 4) !== 0 && salts.equals(bytes.subarray(rest + 8, rest + 16))) lost += 1;
  return { good, lost, at, foreign };
}

function checksum(bytes: Buffer, from: number, length: number, seed: Sum, little: boolean): Sum {
  let [first, second] = seed;
  for (let place = from; place < from + length; place += 8) {
    const left = little ? bytes.readUInt32LE(place) : bytes.readUInt32BE(place);
    const right = little ? bytes.readUInt32LE(place + 4) : bytes.readUInt32BE(place + 4);
    first = (first + left + second) >>> 0;
    second = (second + right + first) >>> 0;
  }
  return [first, second];
}

function same(a: Sum, b: Sum): boolean {
  return a[0] === b[0] && a[1] === b[1];
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
