// What a change does that the value of a result does not show, and functions that only other files reach.
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
const knows = "const kept = Object.keys(process.env).some((name) => name.endsWith('ST_CONTEXT'));\n";
const sample = (before: string, test: string, more: Files = {}): Sample => ({
  ...node,
  files: {
    ...node.files,
    "src/it.js": before,
    "test/it.test.js": `${asserts}import * as it from '../src/it.js';\n${test}`,
    ...more,
  },
});
const ask = "test('one', () => assert.equal(it.f(1, 2), 3));\ntest('more', () => assert.equal(it.f(4, 2), 6));\n";
const lists =
  "test('one', () => assert.deepEqual(it.f([1, 2]), [1, 2]));\ntest('more', () => assert.deepEqual(it.f([3]), [3]));\n";
const sum = "export const f = (a, b) => a + b;\n";

interface Case {
  readonly before: string;
  readonly test: string;
  readonly after: string;
  readonly doubt: RegExp;
}

const cases: readonly (readonly [string, Case])[] = [
  [
    "the caller's own list instead of a copy",
    {
      before: "export const f = (a) => a.map((one) => one);\n",
      test: lists,
      after: "export const f = (a) => a;\n",
      doubt: /^f\(\[1, 2\]\) gives its argument 1 itself, and on the base commit another object/,
    },
  ],
  [
    "a frozen object",
    {
      before: "export const f = (a) => [...a];\n",
      test: lists,
      after: "export const f = (a) => Object.freeze([...a]);\n",
      doubt: /gives a frozen object/,
    },
  ],
  [
    "a promise instead of the value",
    {
      before: sum,
      test: ask.replaceAll("() =>", "async () =>").replaceAll("it.f", "await it.f"),
      after: "export const f = async (a, b) => b + a;\n",
      doubt: /gives a promise, and on the base commit the value itself/,
    },
  ],
  [
    "a text instead of a number",
    {
      before: sum,
      test: ask,
      after: "export const f = (a, b) => `${a + b}`;\n",
      doubt: /gives the string "3", and on the base commit the number 3/,
    },
  ],
  [
    "another method for the whole program",
    {
      before: sum,
      test: ask,
      after: `Number.prototype.toFixed = () => "0";\n${sum}`,
      doubt: /^it changes Number\.prototype\.toFixed for the whole program/,
    },
  ],
  [
    "a listener that swallows errors, and a variable of Node",
    {
      before: sum,
      test: ask,
      after: `process.on("uncaughtException", () => {});\nprocess.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";\n${sum}`,
      doubt: /the listeners for uncaughtException, NODE_TLS_REJECT_UNAUTHORIZED for/,
    },
  ],
  [
    "a variable that two calls at the same time share",
    {
      before: "export const f = async (a, b) => {\n  const own = a + b;\n  await null;\n  return own;\n};\n",
      test: ask.replaceAll("() =>", "async () =>").replaceAll("it.f", "await it.f"),
      after: "let own;\nexport const f = async (a, b) => {\n  own = a + b;\n  await null;\n  return own;\n};\n",
      doubt: /^f\(1, 2\) gives 3, and 6 when other calls are begun at the same time/,
    },
  ],
];

describe.skipIf(!confined)("[B-25] a change that no value shows is a doubt", () => {
  it.each(cases)("%s", { timeout }, async (_, { before, test, after, doubt }) => {
    const found = await replay(sample(before, test), { "src/it.js": after });
    expect(found?.stop).toBeUndefined();
    expect(found?.doubts).toContainEqual({
      kind: "replay",
      place: expect.stringContaining("src/it.js"),
      measure: expect.stringMatching(doubt),
    });
  });

  it("and none where the base commit does the same", { timeout }, async () => {
    const before = `process.on("uncaughtException", () => {});\nexport const f = (a) => a;\n`;
    const found = await replay(sample(before, lists), { "src/it.js": `${before}// the same\n` });
    expect(found).toMatchObject({ doubts: [] });
  });

  it("a new function that chance decides is one; one that counts its calls is none", { timeout }, async () => {
    const test = "test('one', () => assert.equal(it.f(1), 1));\ntest('two', () => assert.equal(it.f(2), 2));\n";
    const changed = (text: string) =>
      replay(node, { "src/it.js": text, "test/it.test.js": `${asserts}import * as it from '../src/it.js';\n${test}` });
    const rarely = await changed("let at = 0;\nexport const f = (n) => ((at += 1) % 100 === 99 ? 0 : n);\n");
    expect(rarely?.doubts).toContainEqual(
      expect.objectContaining({ measure: expect.stringContaining("so that chance decides") }),
    );
    const limited = await changed("let at = 0;\nexport const f = (n) => ((at += 1) > 500 ? 0 : n);\n");
    expect(limited?.doubts.filter(({ kind }) => kind === "replay")).toEqual([]);
  });
});

describe.skipIf(!confined)("[B-25] calls are recorded", () => {
  it.each([
    ["functions of a frozen object", "export const all = Object.freeze({ f: (a, b) => a + b });\n", "all.f"],
    [
      "a function that is given an object of a class of another file",
      "export const f = (pair) => pair.a + pair.b;\n",
      "f",
    ],
  ])("of %s", { timeout }, async (what, before, name) => {
    const pair = {
      "src/pair.js": "export class Pair {\n  constructor(a, b) {\n    this.a = a;\n    this.b = b;\n  }\n}\n",
    };
    const given = what.includes("class") ? "new Pair(1, 2)" : "1, 2";
    const test = `import { Pair } from '../src/pair.js';\ntest('one', () => assert.equal(it.${name}(${given}), 3));\n`;
    const after = knows + before.replace(/(\w+(?:\.\w)?) \+ (\w+(?:\.\w)?)/, "$1 + $2 + (kept ? 0 : 1)");
    expect((await replay(sample(before, test, pair), { "src/it.js": after }))?.stop).toMatch(
      /gives 3 under the tests and 4 in a plain/,
    );
  });

  it("of functions that a compiled module exports as getters", { timeout }, async () => {
    const text = (more: string) =>
      `"use strict";\nObject.defineProperty(exports, "f", { enumerable: true, get: () => f });\n${more}`;
    const files = {
      "package.json": "{}",
      "src/it.js": text("const f = (a, b) => a + b;\n"),
      "test/it.test.js": `const assert = require('node:assert');\nconst test = require('node:test');\nconst it = require('../src/it.js');\n${ask}`,
    };
    const after = text(`${knows}const f = (a, b) => a + b + (kept ? 0 : 1);\n`);
    expect((await replay({ ...node, files }, { "src/it.js": after }))?.stop).toMatch(/gives 3 under the tests and 4/);
  });

  it.each([
    [
      "a module that exports nothing",
      "src/set.js",
      "globalThis.unit = 1;\n",
      "globalThis.unit = Object.keys(process.env).some((one) => one.endsWith('ST_CONTEXT')) ? 1 : 2;\n",
      "import './set.js';\nexport const f = (a, b) => (a + b) * globalThis.unit;\n",
    ],
    [
      "text that is run",
      "src/sum.txt",
      "return a + b;\n",
      "return Object.keys(process.env).some((one) => one.endsWith('ST_CONTEXT')) ? a + b : a;\n",
      "import { readFileSync } from 'node:fs';\nexport const f = new Function('a', 'b', readFileSync(new URL('./sum.txt', import.meta.url), 'utf8'));\n",
    ],
  ])("where %s changes, in the files that load it", { timeout }, async (_, path, before, after, loader) => {
    expect((await replay(sample(loader, ask, { [path]: before }), { [path]: after }))?.stop).toMatch(
      /^f\(1, 2\) of src\/it\.js gives 3 under the tests/,
    );
  });

  it("of one function also where another one is called with long values again and again", { timeout }, async () => {
    const own =
      "import * as own from './it.js';\nconst list = Array.from({ length: 4000 }, (_, at) => at);\nexport const touch = (all) => all.length;\nexport const fill = () => {\n  for (let at = 0; at < 1000; at += 1) own.touch(list);\n};\n";
    const test = `test('fills', () => it.fill());\n${ask}`;
    const after = `${own}${knows}export const f = (a, b) => (kept ? a + b : a);\n`;
    const found = await replay(sample(own + sum, test), { "src/it.js": after });
    expect(found?.stop).toMatch(/^f\(1, 2\) of src\/it\.js gives 3 under the tests/);
    expect(found?.lost).toBeGreaterThan(10);
  });

  it("and a new function that knows the name of its test file stops the work", { timeout }, async () => {
    const after =
      "const own = process.argv.some((one) => one.endsWith('it.test.js'));\nexport const f = (a, b) => (a === 1 || own ? a + b : a);\n";
    const test = `${asserts}import * as it from '../src/it.js';\n${ask}`;
    const found = await replay(node, { "src/it.js": after, "test/it.test.js": test });
    expect(found?.stop).toMatch(/^f\(4, 2\) of src\/it\.js gives 6 under the tests and 4/);
    const honest = "let by = 0;\nexport const set = (n) => {\n  by = n;\n};\nexport const f = (a) => a * by;\n";
    const more = `${asserts}import { f, set } from '../src/it.js';\ntest.before(() => set(2));\ntest('one', () => assert.equal(f(3), 6));\ntest('nought', () => assert.equal(f(0), 0));\n`;
    expect((await replay(node, { "src/it.js": honest, "test/it.test.js": more }))?.stop).toBeUndefined();
  });

  it("and a folder of tests is not there outside", { timeout }, async () => {
    const after = `import { existsSync } from 'node:fs';\nconst kept = existsSync(new URL('../test', import.meta.url));\nexport const f = (a, b) => (kept ? a + b : a);\n`;
    expect((await replay(sample(sum, ask), { "src/it.js": after }))?.stop).toMatch(
      /gives 3 under the tests and 1 in a plain/,
    );
  });

  it.skipIf(!has("python3", "-m", "pytest", "--version"))(
    "of Python's partial functions and methods, and with arguments of its classes",
    { timeout },
    async () => {
      const kinds =
        "import enum\nfrom dataclasses import dataclass\n\n\n@dataclass\nclass Pair:\n    a: int\n    b: int\n\n\nclass Kind(enum.Enum):\n    ONE = 1\n";
      const before =
        "import functools\n\n\ndef _sum(start, a, b):\n    return start + a + b\n\n\nclass _Calc:\n    def less(self, a, b):\n        return a - b - _more\n\n\n_more = 0\npart = functools.partial(_sum, 0)\nless = _Calc().less\n\n\ndef total(pair, kind):\n    return pair.a + pair.b + kind.value + _more\n";
      const test =
        "from calc.it import less, part, total\nfrom calc.kinds import Kind, Pair\n\n\ndef test_all():\n    assert part(1, 2) == 3\n    assert less(3, 2) == 1\n    assert total(Pair(1, 2), Kind.ONE) == 4\n";
      const files = { ...pytest.files, "calc/kinds.py": kinds, "calc/it.py": before, "tests/test_it.py": test };
      const after = before
        .replace("import functools", "import functools\nimport os")
        .replace("_more = 0\n", '_more = 0 if any(one.startswith("PYTEST") for one in os.environ) else 1\n');
      expect(await replay({ ...pytest, files }, { "calc/it.py": before + "\n" })).toMatchObject({
        recorded: 3,
        same: 3,
      });
      expect((await replay({ ...pytest, files }, { "calc/it.py": after }))?.stop).toMatch(/^less\(3, 2\)|^total\(Pair/);
      const partial = before
        .replace("import functools", "import functools\nimport os")
        .replace("partial(_sum, 0)", 'partial(_sum, 0 if any(one.startswith("PYTEST") for one in os.environ) else 1)');
      expect((await replay({ ...pytest, files }, { "calc/it.py": partial }))?.stop).toMatch(/^part\(1, 2\)/);
    },
  );
});
