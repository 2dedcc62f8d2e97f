// Methods of classes are recorded and called again on objects that are made again.
import { describe, expect, it } from "vitest";
import { asserts, confined, node, replay, unittest } from "../../../tests/support/replay.ts";
import { argumentsOf, readRecorded } from "./calls.ts";
import { showCall } from "./show.ts";

const timeout = 120_000;

const cart = (sum: string) =>
  `export class Cart {\n  #prices = [];\n  add(price) {\n    this.#prices.push(price);\n    return this;\n  }\n  sum() {\n    return ${sum};\n  }\n}\n`;
const right = "this.#prices.reduce((a, b) => a + b, 0)";
const cartTest = `${asserts}import { Cart } from '../src/cart.js';\ntest('sums', () => {\n  const cart = new Cart();\n  cart.add(2).add(5);\n  assert.equal(cart.sum(), 7);\n});\n`;
const till = (rate: string) =>
  `import sys\n\n\nclass Till:\n    def __init__(self, rate):\n        self.rate = ${rate}\n\n    def price(self, net):\n        return net * self.rate\n`;
const tillTest =
  "import unittest\nfrom calc.till import Till\n\n\nclass T(unittest.TestCase):\n    def test_price(self):\n        self.assertEqual(Till(3).price(5), 15)\n";

describe.skipIf(!confined)("[B-25] methods outside of the tests", () => {
  it("stop work whose method behaves by its runner, with private fields", { timeout }, async () => {
    const seen = "Object.keys(process.env).some((name) => name.endsWith('ST_CONTEXT'))";
    const sample = { ...node, files: { ...node.files, "src/cart.js": cart(right), "test/cart.test.js": cartTest } };
    expect((await replay(sample, { "src/cart.js": cart(`${seen} ? ${right} : 0`) }))?.stop).toBe(
      "Cart.sum() of an object made with () after .add(2).add(5) of src/cart.js gives 7 under the tests and 0 in a plain process without them; on the base commit it gives 7 there too",
    );
  });

  it("stop work that leaves other arguments behind outside", { timeout }, async () => {
    const sort = (by: string) => `const sort = (list) => {\n  list.sort(${by});\n};\nexport default { sort };\n`;
    const test = `${asserts}import all from '../src/sort.js';\ntest('sorts', () => {\n  const list = [3, 10, 2];\n  all.sort(list);\n  assert.deepEqual(list, [2, 3, 10]);\n});\n`;
    const files = { ...node.files, "src/sort.js": sort("(a, b) => a - b"), "test/sort.test.js": test };
    const seen = "typeof process.env.NODE_TEST_CONTEXT === 'string' ? (a, b) => a - b : undefined";
    expect((await replay({ ...node, files }, { "src/sort.js": sort(seen) }))?.stop).toMatch(
      /^sort\(\[3, 10, 2\]\) of src\/sort\.js gives undefined and leaves the arguments \[\[2, 3, 10\]\] under the tests and undefined and leaves the arguments \[\[10, 2, 3\]\] in a plain/,
    );
  });

  it("stop work whose constructor behaves by its runner", { timeout }, async () => {
    const sample = {
      ...unittest,
      files: { ...unittest.files, "calc/till.py": till("rate"), "tests/test_till.py": tillTest },
    };
    const stop = (await replay(sample, { "calc/till.py": till('rate if "unittest" in sys.modules else 1') }))?.stop;
    expect(stop).toMatch(/^new Till\(3\) of calc\/till\.py gives Till \{"rate":3\} under the tests and /);
  });
});

const line = (record: object) => JSON.stringify({ m: "a.js", n: 1, ...record });

describe("[B-25] recorded methods", () => {
  it("keep the object, or are counted and named where it cannot be made again", () => {
    const { calls, lost, known } = readRecorded(
      [
        line({ f: "A.one", a: [1], o: { s: { sum: 2 } }, r: 3 }),
        line({ f: "A.two", a: [], o: { c: [4], h: [["one", [1]]], n: "B" }, r: 3 }),
        line({ f: "A.one", a: [1], o: { s: { sum: { $: "lost", v: "function" } } }, r: 3 }),
        line({ f: "A.two", a: [], o: { c: [4], h: [["one"]] }, r: 3 }),
        line({ f: "A.two", a: [], o: "no", r: 3 }),
        line({ f: "A.three", lost: "receiver" }),
      ].join("\n"),
      ["a.js"],
    );
    expect(calls.map(showCall)).toEqual([
      'A.one(1) of an object with {"sum":2}',
      "A.two() of an object made with (4) after .one(1)",
    ]);
    expect([...lost]).toEqual([
      ["a.js A.one", 1],
      ["a.js A.two", 2],
      ["a.js A.three", 1],
    ]);
    expect(known.has("a.js A.three")).toBe(true);
  });

  it("are different calls where the objects are", () => {
    const call = { m: "a.js", f: "A.one", a: [] };
    expect(argumentsOf({ ...call, o: { s: { sum: 1 } } })).not.toBe(argumentsOf({ ...call, o: { s: { sum: 2 } } }));
  });
});
