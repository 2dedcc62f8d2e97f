import { describe, expect, it } from "vitest";
import { compileGlob, isGlob } from "./glob.ts";

describe("globs", () => {
  it.each([
    ["src/*.ts", "src/a.ts", true],
    ["src/*.ts", "src/sub/a.ts", false],
    ["src/**/*.ts", "src/a.ts", true],
    ["src/**/*.ts", "src/x/y/a.ts", true],
    ["**/*.ts", "a.ts", true],
    ["**/*.ts", ".config/a.ts", true],
    ["src/**", "src/a/b", true],
    ["src/**", "src", false],
    ["**", "anything/at/all", true],
    ["a?c.txt", "abc.txt", true],
    ["a?c.txt", "a/c.txt", false],
    ["[ab].ts", "b.ts", true],
    ["[!ab].ts", "b.ts", false],
    ["[!ab].ts", "c.ts", true],
    ["[a-c]x", "bx", true],
    ["*.{ts,tsx}", "a.tsx", true],
    ["*.{ts,tsx}", "a.js", false],
    ["{src,test}/**/*.{js,ts}", "test/x/a.js", true],
    ["a+b(c).txt", "a+b(c).txt", true],
    ["a.ts", "aXts", false],
    [String.raw`a\*b`, "a*b", true],
    [String.raw`a\*b`, "axb", false],
    ["x{y", "x{y", true],
    ["[x", "[x", true],
    ["foo*", "foo", true],
    ["*", "a/b", false],
    ["ünï*", "ünïcode", true],
  ])("%s on %s is %s", (pattern, path, expected) => {
    expect(compileGlob(pattern)(path)).toBe(expected);
  });

  it("tells globs from paths", () => {
    expect(["a/b.ts", "a b", "."].some(isGlob)).toBe(false);
    expect(["*.ts", "a?", "[id]", "{a,b}"].every(isGlob)).toBe(true);
  });
});
