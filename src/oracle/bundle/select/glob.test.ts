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
    ["?", "😀", true],
    ["app/[user-id]/*.tsx", "app/[user-id]/page.tsx", true],
    ["app/[user-id]/*.tsx", "app/r/page.tsx", true],
    ["[z-a]", "-", true],
    ["[]]x", "]x", true],
    ["{a,b/{c,d}}/x", "b/d/x", true],
    ["{a,b}c{d,e}", "bce", true],
    ["a/**/b/**/c", "a/b/c", true],
    ["a/**/b/**/c", "a/x/b/y/z/c", true],
    ["a/**/b/**/c", "a/x/c", false],
    ["**/**/a", "a", true],
    ["**/x/**", "y/x", false],
    ["**/x/**", "y/x/z", true],
    ["x**y", "xzy", true],
    ["x**y", "x/y", false],
  ])("%s on %s is %s", (pattern, path, expected) => {
    expect(compileGlob(pattern)(path)).toBe(expected);
  });

  it("a stranger's pattern takes no longer than a friend's", () => {
    const stars = compileGlob(`**/${"*a".repeat(200)}b`);
    expect(stars(Array.from({ length: 40 }, () => "a".repeat(200)).join("/"))).toBe(false);
    const folders = compileGlob(`${"**/x/".repeat(100)}zzz`);
    expect(folders(`${"x/".repeat(400)}b`)).toBe(false);
    expect(() => compileGlob("{a,b}".repeat(30))).toThrow(/too many/);
  });

  it("tells globs from paths", () => {
    expect(["a/b.ts", "a b", "."].some(isGlob)).toBe(false);
    expect(["*.ts", "a?", "[id]", "{a,b}"].every(isGlob)).toBe(true);
  });
});
