import { describe, expect, it } from "vitest";
import { pathRules } from "./rules.ts";

describe("patterns that are tried only for hidden names or names with a capital letter", () => {
  it("patterns of hidden names match no other name, and case-sensitive ones need a capital letter", () => {
    const hidden = pathRules.flatMap((rule) => rule.hidden ?? []);
    expect(hidden.length).toBeGreaterThan(5);
    for (const { source } of hidden) expect(source).toMatch(/^\^\\\./);
    const cased = pathRules.flatMap(({ cased: own }) => [own?.name ?? [], own?.folder ?? []].flat());
    expect(cased.length).toBeGreaterThan(0);
    for (const name of ["FooTest.java", "TestFoo.kt", "ITFoo.cs", "fooIT.java", "appUITests", "fooSpecs"])
      for (const pattern of cased) expect(pattern.test(name.toLowerCase()), `${pattern} ${name}`).toBe(false);
  });
});
