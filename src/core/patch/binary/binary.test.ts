// Binary patches: base85, deltas and ids, and the functions that are handed in for them.
import * as fc from "fast-check";
import { createHash, randomBytes } from "node:crypto";
import { deflateSync, constants } from "node:zlib";
import { describe, expect, it } from "vitest";
import { decodeLines, applyDelta, blobId } from "./binary.ts";
import { binaryTools } from "../../../platform/system/index.ts";

const { inflate } = binaryTools;
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";

function encodeLines(bytes: Uint8Array): string {
  let out = "";
  for (let at = 0; at < bytes.length; at += 52) {
    const part = bytes.subarray(at, at + 52);
    out += String.fromCharCode(part.length <= 26 ? part.length + 64 : part.length + 70);
    for (let four = 0; four < part.length; four += 4) {
      let value = 0;
      for (let byte = 0; byte < 4; byte++) value = value * 256 + (part[four + byte] ?? 0);
      let digits = "";
      for (let digit = 0; digit < 5; digit++) {
        digits = alphabet[value % 85] + digits;
        value = Math.floor(value / 85);
      }
      out += digits;
    }
    out += "\n";
  }
  return out;
}

const content = fc.oneof(
  fc.uint8Array({ maxLength: 500 }),
  fc
    .tuple(fc.uint8Array({ minLength: 1, maxLength: 20 }), fc.nat(400))
    .map(([part, times]) => Buffer.concat(Array.from({ length: times }, () => part))),
);

describe("binary data", () => {
  it("inflates what zlib deflates, at every level and strategy", () => {
    fc.assert(
      fc.property(
        content,
        fc.integer({ min: 0, max: 9 }),
        fc.constantFrom(constants.Z_DEFAULT_STRATEGY, constants.Z_FIXED, constants.Z_HUFFMAN_ONLY, constants.Z_RLE),
        (bytes, level, strategy) => {
          const packed = deflateSync(bytes, { level, strategy });
          expect(Buffer.from(inflate(packed, bytes.length) ?? []).equals(bytes)).toBe(true);
          expect(inflate(packed, bytes.length + 1)).toBeUndefined();
          expect(bytes.length === 0 ? undefined : inflate(packed, bytes.length - 1)).toBeUndefined();
          expect(inflate(Buffer.concat([packed, Buffer.from([0])]), bytes.length)).toBeUndefined();
          expect(inflate(packed.subarray(0, -1), bytes.length)).toBeUndefined();
        },
      ),
      { numRuns: 300 },
    );
    const big = randomBytes(200_000);
    expect(Buffer.from(inflate(deflateSync(big), big.length) ?? []).equals(big)).toBe(true);
  });

  it("never crashes on damaged data, and its checksum finds the damage", () => {
    fc.assert(
      fc.property(content, fc.nat(), fc.integer({ min: 1, max: 255 }), (bytes, at, change) => {
        const packed = deflateSync(bytes);
        const spot = at % packed.length;
        packed[spot] = (packed[spot] ?? 0) ^ change;
        const result = inflate(packed, bytes.length);
        expect(result === undefined || Buffer.from(result).equals(bytes)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it("reads base85 back", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(Buffer.from(decodeLines(encodeLines(bytes)) ?? [])).toEqual(Buffer.from(bytes));
      }),
    );
    expect(decodeLines("A~~~~~\n")).toBeUndefined();
    expect(decodeLines('A"0000\n')).toBeUndefined();
    expect(decodeLines("B0000\n")).toBeUndefined();
  });

  it("gives a content git's own id", () => {
    fc.assert(
      fc.property(content, (bytes) => {
        expect(blobId(bytes, binaryTools)).toBe(
          createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex"),
        );
      }),
    );
  });

  it("follows a delta, and refuses one that reaches outside", () => {
    const base = Buffer.from("hello world");
    const delta = (...ops: number[]) => applyDelta(base, Uint8Array.from([11, ...ops]));
    expect(Buffer.from(delta(8, 0x90, 5, 3, 33, 33, 33) ?? []).toString()).toBe("hello!!!");
    expect(Buffer.from(delta(5, 0x91, 6, 5) ?? []).toString()).toBe("world");
    expect(delta(5, 0x91, 8, 5)).toBeUndefined();
    expect(delta(9, 0x90, 5)).toBeUndefined();
    expect(delta(1, 0)).toBeUndefined();
    expect(delta(3, 3, 1)).toBeUndefined();
    expect(applyDelta(base, Uint8Array.from([12, 1, 1, 65]))).toBeUndefined();
  });
});
