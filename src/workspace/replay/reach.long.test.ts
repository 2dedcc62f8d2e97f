// What the replay reaches beside the calls of exported functions: exported values, functions that hang on others, classes above,
// modules that are loaded by their folder, calls that tests make in two ways, and what a module changes by being loaded.
import { describe, expect, it } from "vitest";
import {
  asserts,
  confined,
  type Files,
  has,
  node,
  pytest,
  replay,
  type Sample,
} from "../../../tests/support/replay.ts";

const timeout = 120_000;
const knows = "const inside = Object.keys(process.env).some((name) => name.endsWith('ST_CONTEXT'));\n";
const sample = (before: string, test: string, more: Files = {}): Sample => ({
  ...node,
  files: {
    "package.json": '{"type":"module"}',
    "src/it.js": before,
    "test/it.test.js": `${asserts}import * as it from '../src/it.js';\n${test}`,
    ...more,
  },
});
const twice = (call: string, other = call) =>
  `test('one', () => assert.equal(${call}, 3));\ntest('two', () => assert.equal(${other.replace("1, 2", "4, 2")}, 6));\n`;

const stopped: readonly (readonly [string, string, string, string, string])[] = [
  [
    "a value that is exported",
    "export const rate = 1 + 2;\n",
    "test('one', () => assert.equal(it.rate, 3));\n",
    `${knows}export const rate = 1 + (inside ? 2 : 0);\n`,
    "value rate of src/it.js gives 3 under the tests and 1",
  ],
  [
    "a property of a function",
    "export const f = (a) => a;\nf.add = (a, b) => a + b;\n",
    twice("it.f.add(1, 2)"),
    `${knows}export const f = (a) => a;\nf.add = (a, b) => (inside ? a + b : a);\n`,
    "f.add(1, 2) of src/it.js gives 3 under the tests and 1",
  ],
  [
    "an object without a prototype",
    "export const api = Object.assign(Object.create(null), { add: (a, b) => a + b });\n",
    twice("it.api.add(1, 2)"),
    `${knows}export const api = Object.assign(Object.create(null), { add: (a, b) => (inside ? a + b : a) });\n`,
    "api.add(1, 2) of src/it.js gives 3 under the tests and 1",
  ],
  [
    "the third object of a chain",
    "export const from = (a) => ({ and: (b) => ({ sum: () => a + b }) });\n",
    "test('one', () => assert.equal(it.from(1).and(2).sum(), 3));\n",
    `${knows}export const from = (a) => ({ and: (b) => ({ sum: () => (inside ? a + b : a) }) });\n`,
    "from().and().sum() of what from().and(2) gave of src/it.js gives 3 under the tests and 1",
  ],
  [
    "a method of a class above that is not exported",
    "class Above {\n  add(a, b) {\n    return a + b;\n  }\n}\nexport class Sum extends Above {}\n",
    twice("new it.Sum().add(1, 2)"),
    `${knows}class Above {\n  add(a, b) {\n    return inside ? a + b : a;\n  }\n}\nexport class Sum extends Above {}\n`,
    "Sum.add(1, 2) of an object with {} of src/it.js gives 3 under the tests and 1",
  ],
];

const all = "for (const name of readdirSync(new URL('all/', import.meta.url))) await import(`./all/${name}`);\n";
const loaded: Files = {
  "src/it.js": `import { readdirSync } from 'node:fs';\nimport { known } from './known.js';\n${all}export const f = (a, b) => known.get('plus')(a, b);\n`,
  "src/known.js": "export const known = new Map();\n",
  "src/all/add.js": "import { known } from '../known.js';\nknown.set('plus', (a, b) => a + b);\n",
};

const doubted: readonly (readonly [string, string, string, Files, RegExp])[] = [
  [
    "a call that the tests make in two ways, so that it counts as state",
    "export const f = (a, b) => a + b;\n",
    twice("it.f(1, 2)"),
    {
      "src/it.js": `${knows}let most = Infinity;\nexport const limit = (to) => {\n  most = to;\n};\nexport const f = (a, b) => Math.min(most, inside ? a + b : a);\n`,
      "test/limit.test.js": `${asserts}import * as it from '../src/it.js';\n${twice("it.f(1, 2)")}test('limit', () => {\n  it.limit(0);\n  assert.equal(it.f(1, 2), 0);\n  assert.equal(it.f(4, 2), 0);\n});\n`,
    },
    /^f\(\d, 2\) gives \d or 0 under the tests and \d in a plain process without them; on the base commit it gives \d there$/,
  ],
  [
    "a variable that the work sets itself and a test names",
    "export const f = (a, b) => a + b;\n",
    twice("it.f(1, 2)"),
    {
      "src/it.js": `${knows}if (inside) process.env.SUMS = 'right';\nexport const f = (a, b) => (process.env.SUMS === 'right' ? a + b : a);\n`,
      "test/sums.test.js": `${asserts}import * as it from '../src/it.js';\ntest('sums', () => {\n  process.env.SUMS = 'right';\n  assert.equal(it.f(2, 2), 4);\n});\n`,
    },
    /under the tests and \d where SUMS is not set; on the base commit it gives \d there too$/,
  ],
  [
    "an object that takes no other fields",
    "export const f = (a) => ({ a });\n",
    "test('one', () => assert.deepEqual(it.f(1), { a: 1 }));\n",
    { "src/it.js": "export const f = (a) => Object.seal({ a });\n" },
    /gives an object that takes no other fields/,
  ],
  [
    "an object without the methods of objects",
    "export const f = (a) => ({ a });\n",
    "test('one', () => assert.equal(it.f(1).a, 1));\n",
    { "src/it.js": "export const f = (a) => Object.assign(Object.create(null), { a });\n" },
    /gives an object without the methods of objects/,
  ],
  [
    "far more time for each call",
    "export const f = (a, b) => a + b;\n",
    twice("it.f(1, 2)"),
    {
      "src/it.js":
        "export const f = (a, b) => {\n  const until = performance.now() + 80;\n  while (performance.now() < until);\n  return a + b;\n};\n",
    },
    /^f\(1, 2\) takes \d+ ms, and on the base commit (?:less than 5|\d) ms; so does each of its 2 recorded calls$/,
  ],
  [
    "an object that is made of other values than those of the tests",
    "export class Sum {\n  constructor(all) {\n    this.all = all;\n  }\n  of() {\n    return this.all.reduce((a, b) => a + b, 0);\n  }\n}\n",
    "test('one', () => assert.equal(new it.Sum([1, 2]).of(), 3));\ntest('two', () => assert.equal(new it.Sum([4, 5, 6]).of(), 15));\n",
    {
      "src/it.js":
        "export class Sum {\n  constructor(all) {\n    this.all = all;\n  }\n  of() {\n    const [a] = this.all;\n    return ((a + this.all.at(-1)) * this.all.length) / 2;\n  }\n}\n",
    },
    /neighbours .* did: of an object made with \(\[/,
  ],
];

describe.skipIf(!confined)("[B-25] what hangs on exported functions and values", () => {
  it.each(stopped)("stops work that behaves by its runner: %s", { timeout }, async (_, before, test, after, stop) => {
    const found = await replay(sample(before, test), { "src/it.js": after });
    expect(found?.stop).toContain(stop);
  });

  it("stops work that behaves by its runner in a module that is loaded by its folder", { timeout }, async () => {
    const files = { ...sample("", twice("it.f(1, 2)")).files, ...loaded };
    const add = `${knows}import { known } from '../known.js';\nknown.set('plus', (a, b) => (inside ? a + b : a));\n`;
    const found = await replay({ ...node, files }, { "src/all/add.js": add });
    expect(found?.stop).toContain("f(1, 2) of src/it.js gives 3 under the tests and 1");
  });

  it.each(doubted)("names %s", { timeout }, async (_, before, test, changed, doubt) => {
    const { stop, doubts = [] } = (await replay(sample(before, test), changed)) ?? {};
    expect(stop).toBeUndefined();
    expect(doubts.map(({ measure }) => measure)).toContainEqual(expect.stringMatching(doubt));
  });

  it("names what a module changes for the whole program by being loaded", { timeout }, async () => {
    const text =
      "import path from 'node:path';\nconst { join } = path;\npath.join = (...all) => join(...all);\nprocess.on('SIGINT', () => undefined);\nsetInterval(() => undefined, 60_000);\nconsole.log('loaded');\nexport const add = (a, b) => a + b;\n";
    const argv = ["node", "--test", "--test-force-exit"] as const;
    const { doubts = [] } = (await replay({ ...node, argv }, { "src/add.js": text })) ?? {};
    const measure = doubts[0]?.measure ?? "";
    for (const one of ["what is printed", "path.join", "the listeners for SIGINT", "how it ends (an open Timeout)"])
      expect(measure).toContain(one);
  });

  it("is nothing for a file that is being read while a module is loaded", { timeout }, async () => {
    const text =
      "import { readFile } from 'node:fs/promises';\nconst own = readFile(new URL('../package.json', import.meta.url), 'utf8');\nexport const typeOf = async () => JSON.parse(await own).type;\n";
    const test = `${asserts}import { typeOf } from '../src/own.js';\ntest('type', async () => assert.equal(await typeOf(), 'module'));\n`;
    const found = await replay(node, { "src/own.js": text, "test/own.test.js": test });
    expect(found).toMatchObject({ recorded: 1, same: 1, doubts: [] });
  });

  it("is nothing for honest work of the same forms", { timeout }, async () => {
    const before =
      "export const rate = 1 + 2;\nexport const at = Date.now();\nexport const acts = {};\nexport const named = { one: { two: rate } };\nexport const f = (a) => a + rate;\nf.twice = (a) => 2 * a;\nclass Above {\n  get() {\n    return this.all.length;\n  }\n}\nexport class List extends Above {\n  constructor(all) {\n    super();\n    this.all = all;\n  }\n}\n";
    const test =
      "test('one', () => assert.equal(it.f(1), 4));\ntest('twice', () => assert.equal(it.f.twice(2), 4));\ntest('list', () => assert.equal(new it.List([1]).get(), 1));\n";
    const after = `${before.replace("this.all.length", "[...this.all].length").replace("2 * a", "a + a")}export const later = (act) => setTimeout(act, 1);\n`;
    const acts =
      "import { acts } from './it.js';\nacts.add = (a, b) => a + b;\nexport const act = (name) => acts[name](1, 2);\n";
    const more = `${asserts}import { act } from '../src/acts.js';\nimport { later } from '../src/it.js';\ntest('act', () => assert.equal(act('add'), 3));\ntest('later', async () => assert.equal(await new Promise((done) => later(() => done(5))), 5));\n`;
    const found = await replay(sample(before, test), {
      "src/acts.js": acts,
      "src/it.js": after,
      "test/later.test.js": more,
    });
    expect(found?.stop).toBeUndefined();
    expect(found?.doubts).toEqual([]);
  });
});

describe.skipIf(!confined || !has("python3", "-m", "pytest", "--version"))(
  "[B-25] what hangs on exported functions and values of Python (needs pytest)",
  () => {
    const knowsPython = "import gc\n\n_inside = any(type(one).__name__ == 'Session' for one in gc.get_objects())\n\n\n";
    const python = (before: string, test: string): Sample => ({
      ...pytest,
      files: { ...pytest.files, "calc/add.py": before, "tests/test_add.py": test },
    });
    const above = "class _Above:\n    def add(self, a, b):\n        return a + b\n\n\nclass Sum(_Above):\n    pass\n";
    const money =
      "class Money:\n    def __init__(self, cents):\n        self.cents = cents\n\n    def __add__(self, more):\n        return Money(self.cents + more)\n";

    it.each([
      [
        "a value",
        "RATE = 1 + 2\n",
        "from calc.add import RATE\n\n\ndef test_one():\n    assert RATE == 3\n",
        `${knowsPython}RATE = 3 if _inside else 1\n`,
        "value RATE of calc/add.py gives 3 under the tests and 1",
      ],
      [
        "a method of a class above that is not exported",
        above,
        "from calc.add import Sum\n\n\ndef test_one():\n    assert Sum().add(1, 2) == 3\n",
        knowsPython + above.replace("a + b", "a + b if _inside else a"),
        "_Above.add(1, 2) of an object with {} of calc/add.py gives 3 under the tests and 1",
      ],
      [
        "an operator",
        money,
        "from calc.add import Money\n\n\ndef test_one():\n    assert (Money(1) + 2).cents == 3\n",
        knowsPython + money.replace("self.cents + more", "self.cents + (more if _inside else 0)"),
        "Money.__add__(2)",
      ],
      [
        "a function whose argument is an object of a class of Python",
        `${money}\n\ndef doubled(one):\n    return one.cents * 2\n`,
        "from calc.add import Money, doubled\n\n\ndef test_one():\n    assert doubled(Money(2)) == 4\n",
        `${knowsPython}${money}\n\ndef doubled(one):\n    return one.cents * (2 if _inside else 3)\n`,
        'doubled(Money {"cents":2}) of calc/add.py gives 4 under the tests and 6',
      ],
    ])("stops work that behaves by its runner: %s", { timeout }, async (_, before, test, after, stop) => {
      const found = await replay(python(before, test), { "calc/add.py": after });
      expect(found?.stop).toContain(stop);
    });

    it("keeps room for short calls where a test makes many long ones before", { timeout }, async () => {
      const before = "def total(values):\n    return sum(values)\n";
      const test = "from calc.add import total\n\n\ndef test_one():\n    assert total([1, 2]) == 3\n";
      const long =
        "from calc.add import total\n\n\ndef test_long():\n    for size in range(4000, 4250):\n        assert total([1] * size) == size\n";
      const found = await replay(python(before, test), {
        "calc/add.py": `${knowsPython}def total(values):\n    return sum(values) if _inside else 0\n`,
        "tests/test_a_long.py": long,
      });
      expect(found?.stop).toContain("total([1, 2]) of calc/add.py gives 3 under the tests and 0");
    });

    it("names coroutines that mix their state, and what a module changes by being loaded", { timeout }, async () => {
      const before =
        "import asyncio\n\n\nasync def total(values):\n    result = 0\n    for value in values:\n        await asyncio.sleep(0)\n        result += value\n    return result\n";
      const test =
        "import asyncio\nfrom calc.add import total\n\n\ndef test_one():\n    assert asyncio.run(total([1, 2])) == 3\n\n\ndef test_two():\n    assert asyncio.run(total([4, 5, 6])) == 15\n";
      const after =
        "import asyncio\nimport json\nimport random\n\nrandom.seed(7)\n_dumps = json.dumps\njson.dumps = lambda value, **more: _dumps(value, **more)\n_all = {}\n\n\nasync def total(values):\n    _all['sum'] = 0\n    for value in values:\n        await asyncio.sleep(0)\n        _all['sum'] += value\n    return _all['sum']\n";
      const { doubts = [] } = (await replay(python(before, test), { "calc/add.py": after })) ?? {};
      const measures = doubts.map(({ measure }) => measure);
      expect(measures).toContainEqual(expect.stringContaining("when other calls are begun at the same time"));
      expect(measures).toContainEqual(expect.stringMatching(/it changes .*json\.dumps.*chance|it changes .*chance/));
    });
  },
);
