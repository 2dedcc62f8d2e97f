import { describe, expect, it } from "vitest";
import { compileGlob, globMatches, isGlob } from "./glob.ts";

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
    expect(compileGlob(pattern)?.(path)).toBe(expected);
  });

  it("a hostile pattern takes bounded time", () => {
    const stars = compileGlob(`**/${"*a".repeat(200)}b`);
    expect(stars?.(Array.from({ length: 40 }, () => "a".repeat(200)).join("/"))).toBe(false);
    const folders = compileGlob(`${"**/x/".repeat(100)}zzz`);
    expect(folders?.(`${"x/".repeat(400)}b`)).toBe(false);
    expect(compileGlob("{a,b}".repeat(30))).toBeUndefined();
  });

  it("tells globs from paths", () => {
    expect(["a/b.ts", "a b", "."].some(isGlob)).toBe(false);
    expect(["*.ts", "a?", "[id]", "{a,b}"].every(isGlob)).toBe(true);
  });
});

describe("entries in a list of paths", () => {
  it.each([
    ["**/test/**", "a/test/b", true],
    ["**/*.snap", "x/y.snap", true],
    ["**/*.snap", "y.snap", true],
    ["*.snap", "x/y.snap", true],
    ["/x.ts", "a/x.ts", false],
    ["/x.ts", "x.ts", true],
    ["src/*.ts", "src/a/b.ts", false],
    ["src/**/b.ts", "src/b.ts", true],
    ["src/**/b.ts", "src/x/y/b.ts", true],
    ["src/{a,b}/*.ts", "src/b/x.ts", true],
    ["src/{a,b}/*.ts", "src/c/x.ts", false],
    ["src/[ab]*.ts", "src/abc.ts", true],
    ["src/[!ab]*.ts", "src/abc.ts", false],
    ["src/?.ts", "src/a.ts", true],
    ["src", "src/deep/a.ts", true],
    ["src/", "src-evil/a.ts", false],
    ["", "x", false],
    ["**", "x/y", true],
    [".github/**", ".github", true],
    ["src/**", "src/a/b", true],
    ["app/[user-id]/*.tsx", "app/[user-id]/page.tsx", true],
    ["{src/a,b}", "lib/b/x.ts", true],
    ["{src/a,b}", "lib/src/a", false],
  ])("%s on %s: %s", (glob, path, wanted) => {
    expect(globMatches(glob, path)).toBe(wanted);
  });

  it("in a list of what is allowed a plain name means the one at the top", () => {
    expect(globMatches("src", "lib/src/a.ts")).toBe(true);
    expect(globMatches("src", "lib/src/a.ts", { anchored: true })).toBe(false);
    expect(globMatches("src", "src/a.ts", { anchored: true })).toBe(true);
    expect(globMatches("*.md", "docs/a.md", { anchored: true })).toBe(true);
  });

  it("a hostile pattern ends", () => {
    expect(globMatches(`${"*a".repeat(200)}b`, "a".repeat(1000))).toBe(false);
    expect(globMatches(`${"**/a/".repeat(50)}b`, "a/".repeat(300))).toBe(false);
    expect(globMatches("{a,b}".repeat(40), "c".repeat(40))).toBe(false);
    expect(globMatches(`{${"a,".repeat(300_000)}b}`, "b")).toBe(false);
  });
});
