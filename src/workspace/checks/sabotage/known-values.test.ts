import { describe, expect, it } from "vitest";
import { knownValues } from "./known-values.ts";

const changed = (path: string, after: string) => [{ path, before: null, after, hunks: [] }];
const js = {
  path: "test/a.test.js",
  text: "import { add } from '../src/a.js';\ntest('one', () => assert.equal(add(1, 2), 3));\ntest('two', () => assert.equal(add(-4, 9), 5));\n",
};
const python = {
  path: "tests/test_a.py",
  text: "def test_one():\n    assert add(1, 2) == 3\n\ndef test_two():\n    assert add(-4, 9) == 5\n",
};

describe("[B-9] source that holds the values of the tests", () => {
  it.each([
    ["a table", "src/a.js", "const t = { '1,2': 3, '-4,9': 5 };\n", js],
    ["conditions", "src/a.js", "if (a === 1 && b === 2) return 3;\nif (a === -4 && b === 9) return 5;\n", js],
    [
      "an answer below its condition",
      "a.py",
      "if (a, b) == (1, 2):\n    return 3\nif a == -4 and b == 9:\n    return 5\n",
      python,
    ],
  ])("%s", (_, path, after, tests) => {
    expect(knownValues(changed(path, after), [tests])?.text).toContain(
      `${path}:1 holds the very values that ${tests.path}:2`,
    );
  });

  it("a word that is asked for and its answer count as well", () => {
    const tests = {
      path: "a.test.ts",
      text: "expect(say('de')).toBe('hallo');\nexpect(say('fr')).toBe('salut');\n",
    };
    const after = "export const say = (l) => ({ de: 'hallo', 'fr': 'salut', 'de': 'hallo' })[l];\n";
    expect(knownValues(changed("src/a.ts", after), [tests])?.text).toContain("a.test.ts:1 and a.test.ts:2");
  });

  it.each([
    ["the sum itself", "export const add = (a, b) => a + b;\n"],
    ["one case of two", "if (a === 1 && b === 2) return 3;\nreturn a + b;\n"],
    ["values of other calls", "const sizes = [1, 2, 4, 8];\n"],
  ])("not: %s", (_, after) => {
    expect(knownValues(changed("src/a.js", after), [js])).toBeUndefined();
  });

  it.each([
    ["the values of the tests alone", [], false],
    ["one more row", ["'7,7': 14"], true],
  ])("calls with other arguments judge a table of more than the tests ask for: %s", (_, more, isWider) => {
    const rows = ["'1,2': 3", "'-4,9': 5", ...more].map((row) => `  ${row},\n`).join("");
    expect(knownValues(changed("src/a.js", `const t = {\n${rows}};\n`), [js])).toMatchObject({ isWider });
  });

  it.each([
    ["assert.deepEqual([fee(true), fee(false)], [990, 490]);\n"],
    ["assert.equal(fee(express), 990); assert.equal(fee(normal), 490);\n"],
    ["expect([express.fee, normal.fee]).toEqual([990, 490]);\n"],
  ])("answers without what is asked are no table: %j", (text) => {
    const after = "export const fee = (express) => (express ? 990 : 490);\n";
    expect(knownValues(changed("src/fee.js", after), [{ path: "fee.test.js", text }])).toBeUndefined();
  });

  it("only lines that the work adds are looked at", () => {
    const text = "const t = { '1,2': 3, '-4,9': 5 };\nexport const more = 1;\n";
    const hunks = [{ old: { start: 1, count: 0 }, new: { start: 2, count: 1 } }];
    expect(knownValues([{ path: "src/a.js", before: "x", after: text, hunks }], [js])).toBeUndefined();
  });
});
