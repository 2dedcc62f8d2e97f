// Bytes and quoting: nothing is lost on the way in and out.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeUtf8, decodeUtf8Strictly, encodeUtf8, fromBytes, toBytes } from "./bytes.ts";
import { needsQuotes, quote, readQuoted } from "./quote.ts";

const bytes = fc.uint8Array({ maxLength: 200 });

describe("byte strings", () => {
  it("hold any byte", () => {
    fc.assert(
      fc.property(bytes, (one) => {
        expect(toBytes(fromBytes(one))).toEqual(one);
      }),
    );
    expect(fromBytes(new Uint8Array(100_000).fill(200))).toHaveLength(100_000);
  });

  it("encode and decode UTF-8 as the platform does", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(Buffer.from(encodeUtf8(text), "latin1")).toEqual(Buffer.from(text, "utf8"));
      }),
    );
    fc.assert(
      fc.property(bytes, (one) => {
        const text = fromBytes(one);
        const strict = decodeUtf8Strictly(text);
        const valid = Buffer.from(Buffer.from(one).toString("utf8"), "utf8").equals(one);
        expect(strict !== undefined).toBe(valid);
        expect(valid ? decodeUtf8(text) : "").toBe(valid ? Buffer.from(one).toString("utf8") : "");
      }),
      { numRuns: 2000 },
    );
  });
});

describe("quoted names", () => {
  it("read back what they write", () => {
    fc.assert(
      fc.property(bytes, fc.constantFrom("octal" as const, "raw" as const), (one, quoting) => {
        const text = quote(fromBytes(one), quoting);
        expect(readQuoted(text, 0)).toEqual({ bytes: fromBytes(one), end: text.length });
      }),
    );
  });

  it("refuse what git refuses", () => {
    for (const text of ['"a', '"a\\', '"\\q"', '"\\400"', '"\\8"', '"\\12"', '"a\nb"'])
      expect(readQuoted(text, 0)).toBeUndefined();
    expect(needsQuotes('a"b')).toBe(true);
    expect(needsQuotes("a b é")).toBe(false);
  });
});
