// What a binary file is, by its content: code for some machine, an archive with code, a picture or the like, or unknown.
import { isCode } from "../sabotage/language.ts";

const starts: readonly (readonly [readonly number[], "code" | "media"])[] = [
  [[0x7f, 0x45, 0x4c, 0x46], "code"],
  [[0x00, 0x61, 0x73, 0x6d], "code"],
  [[0x4d, 0x5a], "code"],
  [[0xcf, 0xfa, 0xed, 0xfe], "code"],
  [[0xca, 0xfe, 0xba, 0xbe], "code"],
  [[0x89, 0x50, 0x4e, 0x47], "media"],
  [[0xff, 0xd8, 0xff], "media"],
  [[0x47, 0x49, 0x46, 0x38], "media"],
  [[0x52, 0x49, 0x46, 0x46], "media"],
  [[0x77, 0x4f, 0x46], "media"],
  [[0x00, 0x01, 0x00, 0x00], "media"],
  [[0x00, 0x00, 0x01, 0x00], "media"],
  [[0x25, 0x50, 0x44, 0x46], "media"],
  [[0x49, 0x44, 0x33], "media"],
  [[0x4f, 0x67, 0x67, 0x53], "media"],
];

const searched = 8_000;

const compiled = /\.(?:class|py[cdo]|node|wasm|so|dll|dylib|exe|jar)$/i;
const entry = Buffer.from("PK\x01\x02", "latin1");
const entryBytes = 46;
const mostEntries = 10_000;

/** A ZIP archive lists its files at its end, whatever it begins with: programs load code from it. A document has none. */
function archivesCode(bytes: Uint8Array): boolean {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = all.indexOf(entry);
  for (let count = 0; at >= 0 && at + entryBytes <= all.length && count < mostEntries; count += 1) {
    const name = all.toString("utf8", at + entryBytes, at + entryBytes + all.readUInt16LE(at + 28));
    if (isCode(name) || compiled.test(name)) return true;
    at = all.indexOf(entry, at + entryBytes);
  }
  return false;
}

/** Null for a text. */
export function binaryKind(bytes: Uint8Array): "code" | "media" | "other" | null {
  const known = starts.find(([start]) => start.every((byte, at) => bytes[at] === byte))?.[1];
  // Compiled Python: a number of its version, then these two bytes.
  const isPython = bytes.length > 16 && bytes[2] === 0x0d && bytes[3] === 0x0a;
  const isCoded = isPython || archivesCode(bytes);
  if (!isCoded && !bytes.subarray(0, searched).includes(0)) return null;
  return isCoded ? "code" : (known ?? "other");
}
