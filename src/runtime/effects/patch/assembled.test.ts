import { describe, expect, it } from "vitest";
import { assembledName, unescaped } from "./assembled.ts";

describe("[R-60] names that are put together from parts", () => {
  it.each([
    ["const p = globalThis['pro' + 'cess'];", "process"],
    ['const v = p[["e", "nv"].join("")];', "env"],
    ["k.startsWith(['NODE', 'TE'].join('_') + 'ST')", "NODE_TE"],
    ["_s = __import__('sy' + 's')", "sys"],
    ["_m = getattr(_s, ''.join(['mod', 'ules']))", "modules"],
    ["any(k.startswith('unit' + 'te') for k in _m)", "unitte"],
    ["const a = require('node:as' + 'sert');", "node:assert"],
    [unescaped("const p = globalThis['pro\\x63' + 'ess'];"), "process"],
  ])("%s", (line, name) => {
    expect(assembledName(line)).toBe(name);
  });

  it.each([
    "const path = 'src/' + 'index.js';",
    "const sql = 'SELECT a ' + 'FROM b';",
    "return ['one', 'two'].join(', ');",
    "name = 'foo' + 'bar'",
    "const all = [process.env.HOME, 'x'].join('/');",
    "const text = 'a' + name + 'b';",
    "raise ValueError('no such ' 'file')",
    "const kinds = ['env', 'argv'].join('|');",
  ])("not: %s", (line) => {
    expect(assembledName(line)).toBeUndefined();
  });

  it("letters that are written as escapes are read, signs that cannot be typed stay", () => {
    expect(unescaped("\\x2etest \\u0074est \\u{74}est")).toBe(".test test test");
    expect(unescaped("\\x1b[31m \\u200b \\u{1f600} \\x0a")).toBe("\\x1b[31m \\u200b \\u{1f600} \\x0a");
  });
});
