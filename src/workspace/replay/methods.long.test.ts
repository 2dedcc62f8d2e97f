// Honest classes of many shapes: their methods give the same outside, and what cannot be made again is counted.
import { describe, expect, it } from "vitest";
import { asserts, confined, node, replay, typed, unittest } from "../../../tests/support/replay.ts";

const timeout = 180_000;

describe.skipIf(!confined)("[B-25] honest classes", () => {
  it("of JavaScript: fields, private ones, parents, statics, properties and promises", { timeout }, async () => {
    const changed = {
      "src/shapes.js":
        "export class Shape {\n  static #made = 0;\n  static count() {\n    return Shape.#made >= 0;\n  }\n  constructor(name) {\n    if (this.constructor === Shape) throw new TypeError('abstract');\n    this.name = name;\n  }\n  get title() {\n    return this.name.toUpperCase();\n  }\n}\nexport class Square extends Shape {\n  constructor(side) {\n    super('square');\n    this.side = side;\n  }\n  area() {\n    return this.side ** 2;\n  }\n  grow(by) {\n    this.side += by;\n  }\n  static unit() {\n    return new Square(1);\n  }\n}\nexport class Log extends Array {\n  last() {\n    return this.at(-1);\n  }\n}\nexport default class Later {\n  #value;\n  constructor(value) {\n    this.#value = value;\n  }\n  async get() {\n    await null;\n    return this.#value;\n  }\n  *walk() {\n    yield this.#value;\n  }\n  with(act) {\n    this.act = act;\n    return 1;\n  }\n  again() {\n    return 2;\n  }\n}\n",
      "test/shapes.test.js": `${asserts}import Later, { Log, Shape, Square } from '../src/shapes.js';\ntest('shapes', async () => {\n  assert.throws(() => new Shape('x'), TypeError);\n  assert.ok(Shape.count());\n  const one = new Square(3);\n  assert.ok(one instanceof Shape && one instanceof Square);\n  assert.equal(one.area(), 9);\n  one.grow(2);\n  assert.equal(one.area(), 25);\n  one.side = 7;\n  assert.equal(one.area(), 49);\n  assert.equal(one.title, 'SQUARE');\n  assert.deepEqual(Square.unit(), new Square(1));\n  assert.equal(Log.from([1, 2]).last(), 2);\n  const later = new Later(4);\n  assert.equal(await later.get(), 4);\n  assert.deepEqual([...later.walk()], [4]);\n  assert.equal(later.with(() => 1), 1);\n  assert.equal(later.again(), 2);\n});\n`,
    };
    const found = await replay(node, changed);
    expect(found?.stop).toBeUndefined();
    expect(found).toMatchObject({ doubts: [], setUp: 0 });
    expect(found?.same).toBeGreaterThanOrEqual(9);
    expect(found?.lost).toBeGreaterThan(0);
    expect(found?.unrecorded).not.toContain("src/shapes.js default.walk");
  });

  it("of TypeScript under vitest, with spies and fields of the constructor", { timeout }, async () => {
    const changed = {
      "src/cart.ts":
        "export abstract class Base {\n  abstract rate(): number;\n  constructor(protected readonly net: number) {}\n  gross(): number {\n    return this.net * this.rate();\n  }\n}\nexport class Cart extends Base {\n  rate(): number {\n    return 2;\n  }\n}\nexport type Carts = readonly Cart[];\n",
      "test/cart.test.ts":
        "import { expect, it, vi } from 'vitest';\nimport { Base, Cart, type Carts } from '../src/cart';\nit('is gross', () => {\n  const all: Carts = [new Cart(3)];\n  expect(all[0]?.gross()).toBe(6);\n  expect(all[0]).toBeInstanceOf(Base);\n  const spy = vi.spyOn(Cart.prototype, 'rate').mockReturnValue(5);\n  expect(new Cart(3).gross()).toBe(15);\n  spy.mockRestore();\n});\n",
    };
    const found = await replay(typed, changed);
    expect(found?.stop).toBeUndefined();
    expect(found?.doubts).toEqual([]);
    // The spy makes two results of one call.
    expect(found).toMatchObject({ same: 1, unsteady: 1 });
  });

  it(
    "of Python: data classes, slots, properties, parents, class methods and none that is lost",
    { timeout },
    async () => {
      const changed = {
        "calc/shapes.py":
          "from dataclasses import dataclass\nfrom enum import Enum\n\n\nclass Kind(Enum):\n    ONE = 1\n\n\n@dataclass\nclass Point:\n    x: int\n    y: int = 2\n\n    def sum(self):\n        return self.x + self.y\n\n\nclass Box:\n    __slots__ = ('items',)\n\n    def __init__(self):\n        self.items = []\n\n    def add(self, one, *, twice=False):\n        self.items.extend([one, one] if twice else [one])\n\n    @property\n    def size(self):\n        return len(self.items)\n\n    @classmethod\n    def of(cls, *all):\n        made = cls()\n        for one in all:\n            made.add(one)\n        return made\n\n    @staticmethod\n    def double(n):\n        return n * 2\n\n\nclass Big(Box):\n    def largest(self):\n        return max(self.items)\n",
        "tests/test_shapes.py":
          "import unittest\nfrom calc.shapes import Big, Box, Kind, Point\n\n\nclass S(unittest.TestCase):\n    def test_all(self):\n        self.assertEqual(Point(1).sum(), 3)\n        self.assertEqual(Point(1), Point(1, 2))\n        box = Box()\n        box.add(3, twice=True)\n        self.assertEqual(box.size, 2)\n        self.assertEqual(Big.of(1, 5).largest(), 5)\n        self.assertEqual(Box.double(4), 8)\n        self.assertEqual(Kind.ONE.value, 1)\n",
      };
      const found = await replay(unittest, changed);
      expect(found?.stop).toBeUndefined();
      expect(found?.doubts).toEqual([]);
      expect(found?.same).toBeGreaterThanOrEqual(8);
    },
  );
});
