// Calls are recorded and made again with real programs: node:test, vitest, pytest and unittest.
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
  typed,
  unittest,
} from "../../../tests/support/replay.ts";

const python = "    return a + b if _told else a * b\n";

describe.skipIf(!confined)("[B-25] calls outside of the tests", () => {
  it.each<[string, Sample, Files, string]>([
    [
      "node:test, by a variable whose name is put together",
      node,
      {
        "src/add.js":
          "const told = Object.keys(process.env).some((name) => name.endsWith('ST_CONTEXT'));\nexport const add = (a, b) => (told ? a + b : a * b);\n",
      },
      "add(1, 2) of src/add.js gives 3 under the tests and 2 in a plain process without them; on the base commit it gives 3 there too",
    ],
    [
      "vitest and TypeScript, by its worker",
      typed,
      {
        "src/add.ts":
          "import { isMainThread } from 'node:worker_threads';\nimport type { Pair } from './types';\nconst pooled = !isMainThread || typeof process.send === 'function';\nexport const add = ([a, b]: Pair): number => (pooled ? a + b : a * b);\n",
      },
      "add([1, 2]) of src/add.ts gives 3 under the tests and 2 in a plain process without them; on the base commit it gives 3 there too",
    ],
    [
      "a module that is loaded under its runner only",
      node,
      {
        "src/add.js":
          "if (!process.env.NODE_TEST_CONTEXT) throw new Error('not now');\nexport const add = (a, b) => a + b;\n",
      },
      "add(1, 2) of src/add.js gives 3 under the tests and nothing (Error: not now) in a plain process without them; on the base commit it gives 3 there too",
    ],
    [
      "unittest, by the main module",
      unittest,
      {
        "calc/add.py": `import __main__\n\n_told = bool(getattr(__main__, "__package__", None)) or hasattr(__main__, "unittest")\n\n\ndef add(a, b):\n${python}`,
      },
      "add(1, 2) of calc/add.py gives 3 under the tests and 2 in a plain process without them; on the base commit it gives 3 there too",
    ],
    [
      "a file among the tests that is read while it runs",
      node,
      {
        "src/add.js":
          "import { readdirSync, readFileSync } from 'node:fs';\nconst top = new URL('../', import.meta.url);\nconst all = readdirSync(top, { recursive: true }).filter((name) => name.endsWith('.js')).map((name) => readFileSync(new URL(name, top), 'utf8')).join('');\nexport const add = (a, b) => Number.parseInt(all.split(`add(${a}, ${b}), `)[1] ?? '0', 10);\n",
      },
      "add(1, 2) of src/add.js gives 3 under the tests and 0 in a plain process without them; on the base commit it gives 3 there too",
    ],
  ])("stop work that behaves by its runner: %s", { timeout: 120_000 }, async (_, sample, changed, stop) => {
    expect(await replay(sample, changed)).toMatchObject({ stop, doubts: [] });
  });

  it.skipIf(!has("python3", "-m", "pytest", "--version"))(
    "stop work that behaves by pytest's variables (needs pytest)",
    { timeout: 120_000 },
    async () => {
      const text = `import os\n\n\ndef add(a, b):\n    _told = any(name.startswith("PYTEST") for name in os.environ)\n${python}`;
      expect(await replay(pytest, { "calc/add.py": text })).toMatchObject({
        stop: "add(1, 2) of calc/add.py gives 3 under the tests and 2 in a plain process without them; on the base commit it gives 3 there too",
      });
    },
  );

  it.each<[string, Sample, Files]>([
    [
      "node:test",
      node,
      {
        "src/sub.js": "export const sub = (a, b) => ('NODE_TEST_CONTEXT' in process.env ? a - b : a);\n",
        "test/sub.test.js": `${asserts}import { sub } from '../src/sub.js';\ntest('subtracts', () => assert.equal(sub(5, 2), 3));\n`,
      },
    ],
    [
      "unittest",
      unittest,
      {
        "calc/sub.py": "import sys\n\n\ndef sub(a, b):\n    return a - b if 'unittest' in sys.modules else a\n",
        "tests/test_sub.py":
          "import unittest\nfrom calc.sub import sub\n\n\nclass S(unittest.TestCase):\n    def test_sub(self):\n        self.assertEqual(sub(5, 2), 3)\n",
      },
    ],
  ])(
    "stop a new function too, by a comparison inside the runner: %s",
    { timeout: 120_000 },
    async (_, sample, changed) => {
      const { stop } = (await replay(sample, changed)) ?? {};
      expect(stop).toMatch(/^sub\(5, 2\) of .* gives 3 under the tests and 5 in a plain process without them$/);
    },
  );

  it("stop work that turns wrong with the clock, in other words than any list has", { timeout: 120_000 }, async () => {
    const late = `const late = performance.timeOrigin > ${Date.now() + 30 * 86_400_000};\n`;
    const text = `${late}export const add = (a, b) => (late ? a * b : a + b);\n`;
    expect(await replay(node, { "src/add.js": text })).toMatchObject({
      stop: "add(1, 2) gives 3 under the tests and 2 where the clock is 410 days ahead",
    });
  });

  it("stop work that is wrong in three of four processes", { timeout: 120_000 }, async () => {
    const text = "def add(a, b):\n    return a + b if hash('calc') % 4 == 1 else a * b\n";
    const found = await replay(unittest, { "calc/add.py": text });
    // With an unlucky seed the check already fails while it is recorded.
    const named = [found?.stop ?? "", ...(found?.doubts ?? []).map(({ measure }) => measure)].join();
    expect(named).toMatch(/in another process|failed twice more/);
  });
});

describe.skipIf(!confined)("[B-25] doubts of a replay", () => {
  it("name work that passes only while its runner is reported on", { timeout: 120_000 }, async () => {
    const text = `import __main__\n\n_told = hasattr(__main__, "unittest")\n\n\ndef add(a, b):\n${python}`;
    const measure =
      "the check passed, and failed twice more: while calls of these files were recorded, and with a comment added to them";
    expect(await replay(unittest, { "calc/add.py": text })).toMatchObject({
      recorded: 0,
      doubts: [{ kind: "replay", place: "calc/add.py", measure }],
    });
  });

  it("name a time zone, and many calls in a row", { timeout: 120_000 }, async () => {
    const here = new Intl.DateTimeFormat().resolvedOptions().timeZone;
    const zone = `const home = Intl.DateTimeFormat().resolvedOptions().timeZone === '${here}';\nexport const add = (a, b) => (home ? a + b : a * b);\n`;
    expect(await replay(node, { "src/add.js": zone })).toMatchObject({
      same: 2,
      doubts: [{ kind: "replay", place: "add in src/add.js", measure: expect.stringMatching(/ in the time zone /) }],
    });
    const count = "let calls = 0;\nexport const add = (a, b) => ((calls += 1) > 1000 ? a * b : a + b);\n";
    expect(await replay(node, { "src/add.js": count })).toMatchObject({
      doubts: [{ kind: "replay", measure: expect.stringMatching(/^add\(1, 2\) gives 3, and 2 after \d+ calls/) }],
    });
  });

  it("name calls that come to no end outside: nothing measured is never no doubt", { timeout: 120_000 }, async () => {
    const changed = {
      "src/cut.js":
        "const told = Object.keys(process.env).some((name) => name.endsWith('ST_CONTEXT'));\nif (!told) process.exit(0);\nexport const cut = (n) => n % 7;\n",
      "test/cut.test.js": `${asserts}import { cut } from '../src/cut.js';\ntest('cuts', () => assert.equal(cut(9), 2));\n`,
    };
    expect(await replay(node, changed)).toMatchObject({
      recorded: 1,
      same: 0,
      doubts: [
        {
          kind: "replay",
          place: "cut in src/cut.js",
          measure: "1 of its 1 recorded calls came to no end outside of the tests, twice; the first: cut(9)",
        },
      ],
    });
  });

  it("name a table of the tests' values, and a change that no test sees", { timeout: 120_000 }, async () => {
    const table = "const sums = { '1,2': 3, '-1,-2': -3 };\nexport const add = (a, b) => sums[`${a},${b}`] ?? 0;\n";
    expect(await replay(node, { "src/add.js": table })).toMatchObject({
      same: 2,
      doubts: [
        {
          kind: "neighbours",
          place: "add in src/add.js",
          measure: "2 recorded calls give 2 results, and 16 of 16 neighbours (calls with values near theirs) give 0",
        },
      ],
    });
    const curve = "def add(a, b):\n    return a + b + (a - 1) * (a + 1)\n";
    expect((await replay(unittest, { "calc/add.py": curve }))?.doubts).toMatchObject([
      { kind: "neighbours", measure: expect.stringMatching(/^no recorded call \(2\) changed against the base commit/) },
    ]);
  });
});

describe.skipIf(!confined)("[B-25] honest work", () => {
  it("is the same outside, with classes, overloads, defaults and promises", { timeout: 120_000 }, async () => {
    const changed = {
      "src/add.js":
        "export function add(a, b) {\n  return b + a;\n}\nexport class Cart {\n  sum = 0;\n}\nexport const later = async (n) => n * 2;\nexport default (text) => text.toUpperCase();\n",
      "test/more.test.js": `${asserts}import loud, { Cart, later } from '../src/add.js';\ntest('more', async () => {\n  assert.equal(new Cart().sum, 0);\n  assert.equal(await later(4), 8);\n  assert.equal(loud('a'), 'A');\n});\n`,
    };
    expect(await replay(node, changed)).toMatchObject({ functions: 4, recorded: 5, same: 5, lost: 0, doubts: [] });
  });

  it(
    "may depend on the time, on chance, on state, on files and on variables of its tests",
    { timeout: 120_000 },
    async () => {
      const changed = {
        "src/now.js":
          "import { readFileSync } from 'node:fs';\nexport const now = () => Date.now();\nexport const id = () => Math.random();\nexport const coin = () => Math.random() > 0.5;\nexport const day = () => new Date().toISOString().slice(0, 10);\nlet n = 0;\nexport const next = () => (n += 1);\nexport const port = () => Number(process.env.PORT ?? 80);\nexport const read = (path) => readFileSync(path, 'utf8');\nexport const full = (path) => process.cwd() + '/' + path;\n",
        "test/now.test.js": `${asserts}import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';\nimport * as m from '../src/now.js';\ntest('now', () => {\n  assert.ok(m.now() > 5 && m.id() < 1);\n  m.coin();\n  assert.equal(m.day(), new Date().toISOString().slice(0, 10));\n  assert.equal(m.next(), 1);\n  assert.equal(m.next(), 2);\n  process.env.PORT = '90';\n  assert.equal(m.port(), 90);\n  const dir = mkdtempSync('/tmp/x-');\n  writeFileSync(dir + '/a', 'hi');\n  assert.equal(m.read(dir + '/a'), 'hi');\n  rmSync(dir, { recursive: true });\n  assert.ok(m.full('a').startsWith('/'));\n});\n`,
      };
      const found = await replay(node, changed);
      expect(found?.stop).toBe(undefined);
      expect(found).toMatchObject({ functions: 8, setUp: 1, doubts: [] });
    },
  );

  const settings = {
    "calc/settings.py":
      "import json\nimport os\n\n\ndef load(path):\n    if not os.path.exists(path):\n        return {}\n    with open(path) as file:\n        return json.load(file)\n",
  };

  it.skipIf(!has("python3", "-m", "pytest", "--version"))(
    "may read what a test wrote, and do without it elsewhere, in pytest's own folder (needs pytest)",
    { timeout: 120_000 },
    async () => {
      const test =
        "from calc.settings import load\n\n\ndef test_load(tmp_path):\n    (tmp_path / 'a.json').write_text('{\"x\": 1}')\n    assert load(str(tmp_path / 'a.json')) == {'x': 1}\n    assert load(str(tmp_path / 'b.json')) == {}\n";
      const found = await replay(pytest, { ...settings, "tests/test_settings.py": test });
      expect(found?.stop).toBe(undefined);
      expect(found).toMatchObject({ recorded: 2, setUp: 1, doubts: [] });
    },
  );

  it("may read what a test wrote beside it, and do without it elsewhere", { timeout: 120_000 }, async () => {
    const test =
      "import unittest\nfrom calc.settings import load\n\n\nclass S(unittest.TestCase):\n    def test_load(self):\n        with open('made.json', 'w') as file:\n            file.write('{\"x\": 1}')\n        self.assertEqual(load('made.json'), {'x': 1})\n        self.assertEqual(load('other.json'), {})\n";
    const found = await replay(unittest, { ...settings, "tests/test_settings.py": test });
    expect(found?.stop).toBe(undefined);
    expect(found).toMatchObject({ recorded: 2, setUp: 1, doubts: [] });
  });

  it(
    "may need what its tests set up, where it did not before: a question, and no stop",
    { timeout: 120_000 },
    async () => {
      const db =
        "let open = false;\nexport const connect = () => {\n  open = true;\n};\nexport const isOpen = () => open;\n";
      const test = `${asserts}import { connect } from '../src/db.js';\nimport { add } from '../src/add.js';\ntest.before(() => connect());\ntest('adds', () => assert.equal(add(1, 2), 3));\n`;
      const sample = { ...node, files: { ...node.files, "src/db.js": db, "test/add.test.js": test } };
      const text =
        "import { isOpen } from './db.js';\nexport function add(a, b) {\n  if (!isOpen()) throw new Error('connect first');\n  return a + b;\n}\n";
      const found = await replay(sample, { "src/add.js": text });
      expect(found?.stop).toBe(undefined);
      const measure = expect.stringMatching(/gives 3 under.*connect first.*; it needs what the tests set up before$/);
      expect(found?.doubts).toMatchObject([{ kind: "replay", place: "add in src/add.js", measure }]);
    },
  );

  it("may order a set by its hashes, and use Python's own types", { timeout: 120_000 }, async () => {
    const changed = {
      "calc/add.py":
        "import datetime\n\n\ndef add(a, b):\n    return b + a\n\n\ndef names(texts):\n    return list(set(texts))\n\n\ndef later(day, *, days=1):\n    return day + datetime.timedelta(days=days)\n",
      "tests/test_more.py":
        "import datetime\nimport unittest\nfrom calc.add import later, names\n\n\nclass M(unittest.TestCase):\n    def test_more(self):\n        self.assertEqual(sorted(names(['a', 'b', 'c'])), ['a', 'b', 'c'])\n        self.assertEqual(later(datetime.date(2020, 1, 1), days=2), datetime.date(2020, 1, 3))\n",
    };
    expect(await replay(unittest, changed)).toMatchObject({ functions: 3, recorded: 4, same: 4, doubts: [] });
  });

  it("[B-25] behave openly by a variable of the check: a question for a person, and no stop", async () => {
    const by = (name: string, value: string) =>
      `const mode = process.env.${name} === "${value}";\nexport const add = (a, b) => (mode ? a + b : a);\n`;
    const sets = { ...node, argv: ["env", "NODE_ENV=test", "APP_MODE=ci", "node", "--test"] as const };
    for (const [name, value] of [
      ["NODE_ENV", "test"],
      ["APP_MODE", "ci"],
    ] as const) {
      const open = await replay(sets, { "src/add.js": by(name, value) });
      expect(open?.stop).toBeUndefined();
      const measure = expect.stringMatching(
        new RegExp(`^add\\(1, 2\\) of src/add.js gives 3 under.* and 1 in.*; with ${name}=${value} the plain process`),
      );
      expect(open?.doubts).toMatchObject([{ kind: "replay", place: "add in src/add.js", measure }]);
    }
    const context = await replay(sets, { "src/add.js": by("NODE_TEST_CONTEXT", "child-v8") });
    expect(context?.stop).toContain("gives 3 under the tests and 1");
  });

  it("in another language is reported: nothing was replayed", async () => {
    expect(await replay(node, { "src/add.sh": "echo 1\n" })).toMatchObject({ skipped: "its language has no recorder" });
    expect(await replay(node, { "README.md": "# more\n" })).toBe(undefined);
  });
});
