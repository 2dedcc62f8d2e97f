// Binary sections: git's base85 lines, deltas and blob ids, and the content that a section makes of a file. The blob ids
// of its index line are checked.
import type { BinaryTools } from "../../contract/index.ts";
import { toBytes } from "../bytes.ts";
import type { BinaryPart, Section } from "../model.ts";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";
const digits = new Int8Array(128).fill(-1);
for (let value = 0; value < alphabet.length; value++) digits[alphabet.charCodeAt(value)] = value;

function lengthOf(letter: number): number {
  if (letter >= 65 && letter <= 90) return letter - 64;
  return letter >= 97 && letter <= 122 ? letter - 70 : 0;
}

/** The bytes of one base85 line (without its line end). Undefined when the line is invalid. */
export function decodeLine(line: string): Uint8Array | undefined {
  const length = lengthOf(line.charCodeAt(0));
  if (length === 0 || line.length !== 1 + Math.ceil(length / 4) * 5) return undefined;
  const bytes = new Uint8Array(length);
  for (let group = 0; group * 4 < length; group++) {
    let value = 0;
    for (let at = 1 + group * 5; at < 6 + group * 5; at++) {
      const digit = digits[line.charCodeAt(at)] ?? -1;
      if (digit < 0) return undefined;
      value = value * 85 + digit;
    }
    if (value > 0xffffffff) return undefined;
    for (let byte = 0; byte < 4 && group * 4 + byte < length; byte++) {
      bytes[group * 4 + byte] = (value / 2 ** (24 - 8 * byte)) & 0xff;
    }
  }
  return bytes;
}

/** The bytes of all base85 lines. */
export function decodeLines(data: string): Uint8Array | undefined {
  const parts: Uint8Array[] = [];
  let length = 0;
  for (const line of data.split("\n").slice(0, -1)) {
    const part = decodeLine(line.endsWith("\r") ? line.slice(0, -1) : line);
    if (!part) return undefined;
    parts.push(part);
    length += part.length;
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Larger binary content is not unpacked. */
export const mostBinary = 64_000_000;

export function unpack(part: BinaryPart, { inflate }: BinaryTools): Uint8Array | undefined {
  const packed = part.size > mostBinary ? undefined : decodeLines(part.data);
  // Deflate shrinks data at most about 1,032 times: a larger stated size is false, and no memory is reserved for it.
  if (!packed || part.size > packed.length * 1040 + 64) return undefined;
  return inflate(packed, part.size);
}

/** The id git gives a content: SHA-1 over its type, length and bytes. */
export function blobId(content: Uint8Array, { sha1 }: BinaryTools): string {
  const head = toBytes(`blob ${content.length}\0`);
  const message = new Uint8Array(head.length + content.length);
  message.set(head);
  message.set(content, head.length);
  return sha1(message);
}

/** git's delta: two sizes, then copies from the base and insertions. */
export function applyDelta(base: Uint8Array, delta: Uint8Array): Uint8Array | undefined {
  let at = 0;
  const number = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = delta[at++];
      if (byte === undefined || scale > 2 ** 35) return -1;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  const field = (op: number, bits: readonly number[]): number =>
    bits.reduce((value, bit, index) => ((op >> bit) & 1 ? value + (delta[at++] ?? 0) * 256 ** index : value), 0);
  if (number() !== base.length) return undefined;
  const size = number();
  if (size < 0 || size > mostBinary) return undefined;
  const output = new Uint8Array(size);
  let length = 0;
  while (at < delta.length) {
    const op = delta[at++] ?? 0;
    if (op === 0) return undefined;
    const copy = op >= 128;
    const from = copy ? field(op, [0, 1, 2, 3]) : at;
    const count = copy ? field(op, [4, 5, 6]) || 0x10000 : op;
    const source = copy ? base : delta;
    if (from + count > source.length || length + count > size) return undefined;
    output.set(source.subarray(from, from + count), length);
    length += count;
    if (!copy) at += count;
  }
  return length === size ? output : undefined;
}

/** The new content, or undefined when data and ids do not fit each other or the old content. */
export function applyBinary(before: Uint8Array, section: Section, tools: BinaryTools): Uint8Array | undefined {
  const { body, extended } = section;
  const index = extended.find((header) => header.kind === "index");
  if (body.kind !== "binary" || !index) return undefined;
  const known = index.from.length === 40;
  if (known && section.oldPath !== null && blobId(before, tools) !== index.from) return undefined;
  const data = unpack(body.forward, tools);
  const after = data && (body.forward.method === "delta" ? applyDelta(before, data) : data);
  if (!after || (section.change === "delete" && after.length > 0)) return undefined;
  return known && section.change !== "delete" && blobId(after, tools) !== index.to ? undefined : after;
}
