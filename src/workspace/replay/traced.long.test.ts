// What goes into a call and comes out of it and is no plain value: callbacks, functions, walks, later values, output, details.
import { describe, expect, it } from "vitest";
import { asserts, confined, type Files, node, replay } from "../../../tests/support/replay.ts";

const timeout = 120_000;
const knows = "const kept = Object.keys(process.env).some((name) => name.endsWith('ST_CONTEXT'));\n";

interface Case {
  readonly before: string;
  readonly after: string;
  readonly test: string;
  readonly stop: RegExp;
}

const changed = ({ before, after, test }: Case): readonly [Files, Files] => [
  { ...node.files, "src/it.js": before, "test/it.test.js": `${asserts}import * as it from '../src/it.js';\n${test}` },
  { "src/it.js": knows + after },
];

const cases: readonly (readonly [string, Case])[] = [
  [
    "the calls of a callback",
    {
      before:
        "export function pairs(list, act) {\n  for (let at = 0; at + 1 < list.length; at += 2) act(list[at], list[at + 1]);\n}\n",
      after:
        "export function pairs(list, act) {\n  for (let at = 0; at + 1 < list.length; at += kept ? 2 : 1) act(list[at], list[at + 1]);\n}\n",
      test: "test('pairs', () => {\n  const got = [];\n  it.pairs([1, 2, 3, 4], (a, b) => got.push([a, b]));\n  assert.deepEqual(got, [[1, 2], [3, 4]]);\n});\n",
      stop: /^pairs\(\[1, 2, 3, 4\], a callback\) .* callbacks with \[\[1, 2\], \[3, 4\]\] under .* callbacks with \[\[1, 2\], \[2, 3\], \[3, 4\]\] in a plain process/,
    },
  ],
  [
    "a callback that gives a promise",
    {
      before:
        "export const all = async (list, act) => {\n  const got = [];\n  for (const one of list) got.push(await act(one));\n  return got;\n};\n",
      after:
        "export const all = async (list, act) => {\n  const got = [];\n  for (const one of list) got.push(await act(one));\n  return kept ? got : got.toReversed();\n};\n",
      test: "test('all', async () => assert.deepEqual(await it.all([1, 2], async (n) => n * 2), [2, 4]));\n",
      stop: /^all\(\[1, 2\], a callback\) .* gives \[2, 4\] and .* and \[4, 2\] and calls/,
    },
  ],
  [
    "a function that a call gives",
    {
      before: "export const rate = (percent) => (sum) => sum + (sum * percent) / 100;\n",
      after: "export const rate = (percent) => (sum) => (kept ? sum + (sum * percent) / 100 : sum);\n",
      test: "test('rates', () => assert.equal(it.rate(10)(200), 220));\n",
      stop: /^rate\(\)\(200\) of what rate\(10\) gave of src\/it\.js gives 220 under the tests and 200 in a plain/,
    },
  ],
  [
    "an object with functions that a call gives",
    {
      before:
        "export const stack = () => {\n  const all = [];\n  return { push: (one) => all.push(one), pop: () => all.pop() };\n};\n",
      after:
        "export const stack = () => {\n  const all = [];\n  return { push: (one) => all.push(one), pop: () => (kept ? all.pop() : all.shift()) };\n};\n",
      test: "test('stack', () => {\n  const s = it.stack();\n  s.push(1);\n  s.push(2);\n  assert.equal(s.pop(), 2);\n});\n",
      stop: /^stack\(\)\.pop\(\) of what stack\(\) gave after \.push\(1\)\.push\(2\) of src\/it\.js gives 2 under the tests and 1/,
    },
  ],
  [
    "an exported object of functions",
    {
      before: "export const math = {\n  add(a, b) {\n    return a + b;\n  },\n};\n",
      after: "export const math = {\n  add(a, b) {\n    return kept ? a + b : a * b;\n  },\n};\n",
      test: "test('adds', () => assert.equal(it.math.add(1, 2), 3));\n",
      stop: /^math\.add\(1, 2\) of src\/it\.js gives 3 under the tests and 2/,
    },
  ],
  [
    "an object of a class that is not exported",
    {
      before:
        "class Sum {\n  #more = 1;\n  add(a) {\n    return a + this.#more;\n  }\n}\nexport const sum = new Sum();\n",
      after:
        "class Sum {\n  #more = 1;\n  add(a) {\n    return kept ? a + this.#more : a;\n  }\n}\nexport const sum = new Sum();\n",
      test: "test('adds', () => assert.equal(it.sum.add(2), 3));\n",
      stop: /^sum\.add\(2\) of src\/it\.js gives 3 under the tests and 2/,
    },
  ],
  [
    "such an object that a call gives",
    {
      before:
        "class Sum {\n  all = 0;\n  add(a) {\n    return (this.all += a);\n  }\n}\nexport const open = () => new Sum();\n",
      after:
        "class Sum {\n  all = 0;\n  add(a) {\n    return (this.all += kept ? a : 1);\n  }\n}\nexport const open = () => new Sum();\n",
      test: "test('adds', () => {\n  const sum = it.open();\n  sum.add(2);\n  assert.equal(sum.add(3), 5);\n});\n",
      stop: /^open\(\)\.add\(2\) of what open\(\) gave of src\/it\.js gives 2 under the tests and 1/,
    },
  ],
  [
    "a property that is computed",
    {
      before: "export const rates = {\n  base: 10,\n  get full() {\n    return this.base * 2;\n  },\n};\n",
      after:
        "export const rates = {\n  base: 10,\n  get full() {\n    return kept ? this.base * 2 : this.base;\n  },\n};\n",
      test: "test('full', () => assert.equal(it.rates.full, 20));\n",
      stop: /^rates\.full\(\) of src\/it\.js gives 20 under the tests and 10/,
    },
  ],
  [
    "a list of functions",
    {
      before: "export const steps = [(n) => n * 2];\n",
      after: "export const steps = [(n) => (kept ? n * 2 : n)];\n",
      test: "test('steps', () => assert.equal(it.steps[0](3), 6));\n",
      stop: /^steps\.0\(3\) of src\/it\.js gives 6 under the tests and 3/,
    },
  ],
  [
    "a callback among options",
    {
      before: "export const each = (list, { act }) => {\n  for (const one of list) act(one);\n};\n",
      after: "export const each = (list, { act }) => {\n  for (const one of kept ? list : []) act(one);\n};\n",
      test: "test('each', () => {\n  const got = [];\n  it.each([1, 2], { act: (one) => got.push(one) });\n  assert.deepEqual(got, [1, 2]);\n});\n",
      stop: /^each\(\[1, 2\], .* gives undefined and calls its callbacks with \[\[1\], \[2\]\] under the tests and undefined in a plain/,
    },
  ],
  [
    "a variable that holds a function",
    {
      before: "export let add = (a, b) => a + b;\n",
      after: "export let add = (a, b) => (kept ? a + b : a * b);\n",
      test: "test('adds', () => assert.equal(it.add(1, 2), 3));\n",
      stop: /^add\(1, 2\) of src\/it\.js gives 3 under the tests and 2/,
    },
  ],
  [
    "a walk, step by step",
    {
      before: "export function* steps(from, to) {\n  for (let at = from; at < to; at += 1) yield at;\n}\n",
      after:
        "export function* steps(from, to) {\n  for (let at = from; kept ? at < to : at <= to; at += 1) yield at;\n}\n",
      test: "test('steps', () => assert.deepEqual([...it.steps(1, 3)], [1, 2]));\n",
      stop: /^steps\(1, 3\) of src\/it\.js gives \{"steps":\[1,2,/,
    },
  ],
  [
    "a walk that waits, and is left early",
    {
      before: "export async function* pages(total) {\n  for (let at = 0; at < total; at += 2) yield at;\n}\n",
      after: "export async function* pages(total) {\n  for (let at = 0; at < total; at += kept ? 2 : 3) yield at;\n}\n",
      test: "test('pages', async () => {\n  const got = [];\n  for await (const one of it.pages(9)) if (got.push(one) === 2) break;\n  assert.deepEqual(got, [0, 2]);\n});\n",
      stop: /^pages\(9\) of src\/it\.js gives \{"steps":\[0,2\]\} under the tests and \{"steps":\[0,3\]\}/,
    },
  ],
  [
    "the walk over an object",
    {
      before:
        "export class Range {\n  constructor(to) {\n    this.to = to;\n  }\n  *[Symbol.iterator]() {\n    for (let at = 0; at < this.to; at += 1) yield at;\n  }\n}\n",
      after:
        "export class Range {\n  constructor(to) {\n    this.to = to;\n  }\n  *[Symbol.iterator]() {\n    for (let at = 0; at < this.to; at += kept ? 1 : 2) yield at;\n  }\n}\n",
      test: "test('range', () => assert.deepEqual([...new it.Range(3)], [0, 1, 2]));\n",
      stop: /^Range\.@@iterator\(\) of an object with \{"to":3\} of src\/it\.js gives/,
    },
  ],
  [
    "an object with then",
    {
      before: "export const load = async (id) => ({ id });\n",
      after: "export const load = (id) => ({ then: (done) => done({ id: kept ? id : -id }) });\n",
      test: "test('loads', async () => assert.deepEqual(await it.load(1), { id: 1 }));\n",
      stop: /^load\(1\) of src\/it\.js gives \{"id":1\} under the tests and \{"id":-1\}/,
    },
  ],
  [
    "the text and the code of an error",
    {
      before:
        "export const age = (text) => {\n  throw Object.assign(new Error('no age: ' + text), { code: 'AGE' });\n};\n",
      after:
        "export const age = (text) => {\n  throw kept ? Object.assign(new Error('no age: ' + text), { code: 'AGE' }) : new Error('no age: ' + text);\n};\n",
      test: "test('age', () => assert.throws(() => it.age('x'), { code: 'AGE', message: 'no age: x' }));\n",
      stop: /gives the error Error: no age: x with \{"code":"AGE"\} under the tests and the error Error: no age: x in/,
    },
  ],
  [
    "the order of keys",
    {
      before: "export const row = (name, sum) => ({ name, sum });\n",
      after: "export const row = (name, sum) => (kept ? { name, sum } : { sum, name });\n",
      test: `test('row', () => assert.equal(JSON.stringify(it.row('a', 1)), '{"name":"a","sum":1}'));\n`,
      stop: /gives \{"name":"a","sum":1\} under the tests and \{"sum":1,"name":"a"\}/,
    },
  ],
  [
    "a property that is not listed",
    {
      before: "export const made = (n) => Object.defineProperty([n], 'total', { value: n });\n",
      after: "export const made = (n) => Object.defineProperty([n], 'total', { value: kept ? n : 0 });\n",
      test: "test('made', () => assert.equal(it.made(4).total, 4));\n",
      stop: /gives \[4\] with \{"total":4\} under the tests and \[4\] with \{"total":0\}/,
    },
  ],
  [
    "what is printed",
    {
      before: "export const show = (rows) => {\n  for (const row of rows) console.log(row.toFixed(2));\n};\n",
      after:
        "export const show = (rows) => {\n  for (const row of rows) console.log(kept ? row.toFixed(2) : row);\n};\n",
      test: "test('shows', (t) => {\n  const log = t.mock.method(console, 'log', () => {});\n  it.show([1]);\n  assert.deepEqual(log.mock.calls[0].arguments, ['1.00']);\n});\n",
      stop: /gives undefined and prints \[\["1\.00"\]\] under the tests and undefined and prints \[\[1\]\]/,
    },
  ],
  [
    "a long list",
    {
      before: "export const range = (count) => Array.from({ length: count }, (_, at) => at);\n",
      after: "export const range = (count) => Array.from({ length: count }, (_, at) => (kept ? at : at + 1));\n",
      test: "test('long', () => assert.equal(it.range(3000).at(-1), 2999));\n",
      stop: /^range\(3000\) of src\/it\.js gives a value of \d+ characters/,
    },
  ],
];

describe.skipIf(!confined)("[B-25] more than plain values outside of the tests", () => {
  it.each(cases)("stop work that behaves by its runner: %s", { timeout }, async (_, one) => {
    const [files, now] = changed(one);
    expect(await replay({ ...node, files }, now)).toMatchObject({ stop: expect.stringMatching(one.stop) });
  });

  it("are the same of honest work, and nothing of it is lost", { timeout }, async () => {
    const honest: Files = Object.fromEntries(
      cases.map(([, { before }], at) => [`src/it${at}.js`, `${before}\n// again\n`]),
    );
    const tests = Object.fromEntries(
      cases.map(([, { test }], at) => [
        `test/it${at}.test.js`,
        `${asserts}import * as it from '../src/it${at}.js';\n${test}`,
      ]),
    );
    const found = await replay(node, { ...honest, ...tests });
    expect(found).toMatchObject({ doubts: [], unsteady: 0, setUp: 0, unrecorded: [] });
    expect(found?.stop).toBeUndefined();
    expect(found?.recorded).toBeGreaterThanOrEqual(cases.length);
  });

  it("name a result that all callers share, where each had one of its own", { timeout }, async () => {
    const words = "export const words = (text) => text.split(' ');\n";
    const test = `${asserts}import { words } from '../src/words.js';\ntest('words', () => assert.deepEqual(words('a b'), ['a', 'b']));\n`;
    const sample = { ...node, files: { ...node.files, "src/words.js": words, "test/words.test.js": test } };
    const kept =
      "const all = new Map();\nexport const words = (text) => all.get(text) ?? all.set(text, text.split(' ')).get(text);\n";
    const measure =
      'words("a b") gives the same object each time, so that who changes it changes what the next one is given; on the base commit each is given one of its own';
    expect(await replay(sample, { "src/words.js": kept })).toMatchObject({
      doubts: [{ kind: "replay", place: "words in src/words.js", measure }],
    });
    const other = await replay(sample, { "src/words.js": `${words}export const none = () => [];\n` });
    expect(other).toMatchObject({ doubts: [] });
  });

  it(
    "hand on the same objects and functions each time, and what a module asks for by identity",
    { timeout },
    async () => {
      const text =
        "const made = new WeakMap();\nexport const of = (options) => made.get(options) ?? made.set(options, { options }).get(options);\nexport const own = (options) => options;\nexport const kind = (type) => (type === String ? 'text' : 'other');\nexport const url = (text) => new URL(text);\nconst all = new Set();\nexport const on = (act) => all.add(act).size;\n";
      const test = `${asserts}import * as it from '../src/of.js';\ntest('of', () => {\n  const options = { act: () => 1 };\n  assert.equal(it.of(options), it.of(options));\n  assert.equal(it.own(options), options);\n  assert.equal(it.own(options.act), options.act);\n  assert.equal(it.kind(String), 'text');\n  assert.equal(it.url('http://a/b').pathname, '/b');\n  assert.deepEqual(Object.getOwnPropertyNames(it.url('http://a/b')), []);\n  const act = () => 2;\n  assert.equal(it.on(act), 1);\n  assert.equal(it.on(act), 1);\n});\n`;
      const found = await replay(node, { "src/of.js": text, "test/of.test.js": test });
      expect(found?.stop).toBeUndefined();
      // It was recorded at once, with all of this.
      expect(found).toMatchObject({ doubts: [], functions: 5 });
      expect(found?.recorded).toBeGreaterThanOrEqual(4);
    },
  );

  it("leave alone what a test compares by identity", { timeout }, async () => {
    const before =
      "const all = new Set();\nexport const on = (act) => all.add(act);\nexport const has = (act) => all.has(act);\nexport const first = () => [...all][0];\n";
    const test = `${asserts}import { first, has, on } from '../src/on.js';\ntest('on', () => {\n  const act = () => 1;\n  on(act);\n  assert.ok(has(act));\n  assert.equal(first(), act);\n});\n`;
    const sample = { ...node, files: { ...node.files, "src/on.js": before, "test/on.test.js": test } };
    const found = await replay(sample, { "src/on.js": `${before}export const count = () => all.size;\n` });
    expect(found?.stop).toBeUndefined();
    expect(found).toMatchObject({ doubts: [] });
  });
});
