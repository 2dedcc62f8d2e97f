import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { wrongCompares } from "./compared.ts";
import { wrongRow } from "./canary.ts";

const first = (path: string, text: string): string => wrongCompares(path, text, 7, 1)[0]?.text ?? "";

/** What the assertion of a text gives, with its compared value made wrong. */
const js = (text: string, assert: unknown): unknown =>
  runInNewContext(first("a.test.js", text), {
    assert,
    expect: assert,
    want: 15,
    add: (a: number, b: number) => a + b,
  });

describe("[B-6] a compared value made wrong", () => {
  it("at run time, whatever the place of the expected value", () => {
    const seen: unknown[][] = [];
    const assert = { equal: (...all: unknown[]) => void seen.push(all) };
    js("assert.equal(add(10, 5), want);", assert);
    js("assert.equal(add(10, 5), 'a, (b');", assert);
    js("assert.equal(add(10, 5), want, `sum of ${1}`);", assert);
    js("assert.equal(add(1, 2) === 3, true);", assert);
    js("assert.equal(add(1, 2), { a: [1, 2] });", assert);
    expect(seen).toEqual([
      [15, 22],
      [15, "a, (b0"],
      [15, 22, "sum of 1"],
      [true, false],
      [3, [{ a: [1, 2] }]],
    ]);
  });

  it.each([
    ["a.test.js", "expect(add(a, b)).toBe(want);", /\.toBe\(\(\(v\) =>.+\)\(want\)\)/],
    ["a.test.ts", "expect(add(a, b)).toEqual(want);", /\.toEqual\(\(\(v: any\): any =>.+\)\(want\)\)/],
    ["test_a.py", "    assert add(a, b) == want, 'text'\n", /== \(lambda v: .+\)\( want\), 'text'/],
    ["test_a.py", "        self.assertEqual(add(a, b), want)\n", /, ?\(lambda v: .+\)\( want\)\)/],
    ["test_a.py", "    assert is_good(a)\n", /assert not \( is_good\(a\)\)\n/],
    [
      "a_test.go",
      "\tif got := Add(1, x); got != want {\n\t\tt.Fatal(1)\n\t}\n",
      /if got := Add\(1, x\); !\( got != want \) \{/,
    ],
    ["a_test.go", "\tassert.Equal(t, a, b)\n", /assert\.NotEqual\(t, a, b\)/],
    ["add.rs", "    assert_eq!(add(a, b), want);\n", /assert_ne!\(add/],
    ["add.rs", '    assert!(good(a, b), "text");\n', /assert!\(!\(good\(a, b\)\), "text"\)/],
  ])("in %s: %s", (path, text, made) => {
    expect(first(path, text)).toMatch(made);
  });

  it("leaves alone what must differ, and words in texts and comments", () => {
    expect(wrongCompares("a.test.js", "expect(a).not.toBe(b);\n", 7, 9)).toEqual([]);
    expect(wrongCompares("a.test.js", "// assert.equal(a, b);\nconst s = 'assert.equal(a, b)';\n", 7, 9)).toEqual([]);
    expect(wrongCompares("a.test.js", "assert.notEqual(a, b);\n", 7, 9)).toEqual([]);
  });

  it("takes the last assertion, then the first, each on its line", () => {
    const text = "assert.equal(a, 1);\nassert.equal(b, 2);\nassert.equal(c, 3);\n";
    expect(wrongCompares("a.test.js", text, 7, 2).map(({ line }) => line)).toEqual([3, 1]);
  });

  it("changes the last number of a row where the language compares by type", () => {
    expect(wrongRow("const C: [(i32, i32, i32); 2] = [(1, 2, 3), (4, 5, 9)];\n", 7)?.text).toContain("(1, 2, 10)");
    expect(wrongRow("cases := []c{\n\t{1, 2, 3},\n\t{4, 5, 9},\n}\n", 7)?.text).toContain("{1, 2, 10}");
    expect(wrongRow("add(1, 2);\nlet x = f(3, 4);\n", 7)).toBeNull();
  });
});
