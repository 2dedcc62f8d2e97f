// Calls are recorded and made again with real programs: node:test, vitest, pytest and unittest.
import { execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeRepository } from "../../../tests/support/repository.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { requireRepository } from "../../platform/git/index.ts";
import { createCommandRunner } from "../../platform/sandbox/index.ts";
import { replayCalls } from "./index.ts";

// Our own runner sets it too.
const { NODE_ENV: _mode, ...inherited } = process.env;
const environment = { ...inherited, PATH: `${dirname(process.execPath)}:${process.env["PATH"]}` };
const runner = createCommandRunner({ environment });
const confined = (await runner.confinement()) !== "none";
const has = (program: string, ...words: string[]): boolean => {
  try {
    execFileSync(program, words, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

type Files = Readonly<Record<string, string>>;
interface Sample {
  readonly argv: readonly [string, ...string[]];
  readonly files: Files;
  readonly installed?: true;
}

const asserts = "import assert from 'node:assert';\nimport test from 'node:test';\n";
const node: Sample = {
  argv: ["node", "--test"],
  files: {
    "package.json": '{"type":"module"}',
    "src/add.js": "export const add = (a, b) => a + b;\n",
    "test/add.test.js": `${asserts}import { add } from '../src/add.js';\ntest('adds', () => assert.equal(add(1, 2), 3));\ntest('negative', () => assert.equal(add(-1, -2), -3));\n`,
  },
};
const typed: Sample = {
  argv: ["npm", "run", "test"],
  installed: true,
  files: {
    ".gitignore": "node_modules\n",
    "package.json": '{"type":"module","scripts":{"test":"vitest run"}}',
    "src/types.ts": "export type Pair = readonly [number, number];\n",
    "src/add.ts": "import type { Pair } from './types';\nexport const add = ([a, b]: Pair): number => a + b;\n",
    "test/add.test.ts":
      "import { expect, it } from 'vitest';\nimport { add } from '../src/add';\nit('adds', () => expect(add([1, 2])).toBe(3));\n",
  },
};
const unittest: Sample = {
  argv: ["python3", "-m", "unittest"],
  files: {
    "calc/__init__.py": "",
    "calc/add.py": "def add(a, b):\n    return a + b\n",
    "tests/__init__.py": "",
    "tests/test_add.py":
      "import unittest\nfrom calc.add import add\n\n\nclass T(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(add(1, 2), 3)\n\n    def test_negative(self):\n        self.assertEqual(add(-1, b=-2), -3)\n",
  },
};
const pytest: Sample = {
  argv: ["python3", "-m", "pytest"],
  files: {
    "pytest.ini": "[pytest]\n",
    "calc/__init__.py": "",
    "calc/add.py": "def add(a, b):\n    return a + b\n",
    "tests/test_add.py":
      "from calc.add import add\n\n\ndef test_adds():\n    assert add(1, 2) == 3\n\n\ndef test_negative():\n    assert add(-1, -2) == -3\n",
  },
};

async function replay({ argv, files, installed }: Sample, changed: Files) {
  const repo = makeRepository(files);
  onTestFinished(() => repo.remove());
  if (installed) symlinkSync(join(import.meta.dirname, "../../../node_modules"), join(repo.dir, "node_modules"));
  const baseTree = repo.git("rev-parse", "HEAD^{tree}").trim();
  for (const [path, text] of Object.entries(changed)) repo.write(path, text);
  repo.commit();
  return replayCalls({
    repository: requireRepository(repo.dir),
    runner,
    scratchRoot: tempFolder("thehood-scratch-"),
    spec: { id: "t", kind: "test", argv: [...argv], cwd: "", source: "config", timeoutMs: 60_000 },
    baseTree,
    tree: repo.git("rev-parse", "HEAD^{tree}").trim(),
    tookMs: 5_000,
    tell: () => undefined,
  });
}

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

  it("name a table of the tests' values, and a change that no test sees", { timeout: 120_000 }, async () => {
    const table = "const sums = { '1,2': 3, '-1,-2': -3 };\nexport const add = (a, b) => sums[`${a},${b}`] ?? 0;\n";
    expect(await replay(node, { "src/add.js": table })).toMatchObject({
      same: 2,
      doubts: [
        {
          kind: "neighbours",
          place: "add in src/add.js",
          measure: "2 recorded calls give 2 results, and 14 of 14 neighbours (calls with values near theirs) give 0",
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
    expect(await replay(node, changed)).toMatchObject({ functions: 3, recorded: 4, same: 4, lost: 0, doubts: [] });
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

  it("may order a set by its hashes, and use Python's own types", { timeout: 120_000 }, async () => {
    const changed = {
      "calc/add.py":
        "import datetime\n\n\ndef add(a, b):\n    return b + a\n\n\ndef names(texts):\n    return list(set(texts))\n\n\ndef later(day, *, days=1):\n    return day + datetime.timedelta(days=days)\n",
      "tests/test_more.py":
        "import datetime\nimport unittest\nfrom calc.add import later, names\n\n\nclass M(unittest.TestCase):\n    def test_more(self):\n        self.assertEqual(sorted(names(['a', 'b', 'c'])), ['a', 'b', 'c'])\n        self.assertEqual(later(datetime.date(2020, 1, 1), days=2), datetime.date(2020, 1, 3))\n",
    };
    expect(await replay(unittest, changed)).toMatchObject({ functions: 3, recorded: 4, same: 4, doubts: [] });
  });

  it("[B-25] behave openly by NODE_ENV: a question for a person, and no stop", async () => {
    const by = (name: string, value: string) =>
      `const mode = process.env.${name} === "${value}";\nexport const add = (a, b) => (mode ? a + b : a);\n`;
    const sets = { ...node, argv: ["env", "NODE_ENV=test", "OTHER=1", "node", "--test"] as const };
    const open = await replay(sets, { "src/add.js": by("NODE_ENV", "test") });
    expect(open?.stop).toBeUndefined();
    expect(open?.doubts).toMatchObject([
      { kind: "replay", measure: expect.stringContaining("with NODE_ENV=test the plain process gives it too") },
    ]);
    expect((await replay(sets, { "src/add.js": by("OTHER", "1") }))?.stop).toContain("gives 3 under the tests and 1");
  });

  it("in another language is told apart: nothing was replayed", async () => {
    expect(await replay(node, { "src/add.sh": "echo 1\n" })).toMatchObject({ skipped: "its language has no recorder" });
    expect(await replay(node, { "README.md": "# more\n" })).toBe(undefined);
  });
});
