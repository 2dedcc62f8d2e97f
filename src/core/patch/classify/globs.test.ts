// Globs of paths, and the quick look at a name before a pattern is asked.
import { describe, expect, it } from "vitest";
import { globMatches } from "./index.ts";
import { pathRules } from "./rules.ts";

describe("globs", () => {
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
  });
});

describe("what is told from a name before a pattern is asked", () => {
  it("patterns of hidden names take no other, and those with a case want a capital letter", () => {
    const hidden = pathRules.flatMap((rule) => rule.hidden ?? []);
    expect(hidden.length).toBeGreaterThan(5);
    for (const { source } of hidden) expect(source).toMatch(/^\^\\\./);
    const cased = pathRules.flatMap(({ cased: own }) => [own?.name ?? [], own?.folder ?? []].flat());
    expect(cased.length).toBeGreaterThan(0);
    for (const name of ["FooTest.java", "TestFoo.kt", "ITFoo.cs", "fooIT.java", "appUITests", "fooSpecs"])
      for (const pattern of cased) expect(pattern.test(name.toLowerCase()), `${pattern} ${name}`).toBe(false);
  });
});
