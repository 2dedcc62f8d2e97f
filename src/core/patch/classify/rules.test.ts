import { describe, expect, it } from "vitest";
import { pathRules } from "./rules.ts";

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
