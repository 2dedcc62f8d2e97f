import { Buffer } from "node:buffer";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { utf8Length } from "./decision.ts";

it("the length of a text in UTF-8 is that of its bytes, whatever alphabet it is written in", () => {
  for (const text of ["", "plain\n", "é", "a…b✔c", "😀x😀", "\0\x7f\x80\u07ff\u0800\uffff"])
    expect(utf8Length(text)).toBe(Buffer.byteLength(text));
  const anyText = fc.string({ unit: "grapheme", maxLength: 60 });
  fc.assert(fc.property(anyText, (text) => utf8Length(text) === Buffer.byteLength(text)));
});
