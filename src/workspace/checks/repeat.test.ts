// A check that passed runs again with real programs: by another clock, where the changed source reads it.
import process from "node:process";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeRepository } from "../../../tests/support/repository.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { requireRepository } from "../../platform/git/index.ts";
import { createCommandRunner } from "../../platform/sandbox/index.ts";
import { runAgain } from "./repeat.ts";

const node = {
  argv: ["node", "--test"] as [string, ...string[]],
  source: "add.js",
  good: "export const add = (a, b) => a + b;\n",
  test: {
    "package.json": '{"type":"module"}',
    "add.test.js":
      "import test from 'node:test'; import assert from 'node:assert'; import { add } from './add.js';\ntest('adds', () => assert.equal(add(1, 2), 3));\n",
  },
};
const python = {
  argv: ["python3", "-m", "unittest"] as [string, ...string[]],
  source: "add.py",
  good: "def add(a, b):\n    return a + b\n",
  test: {
    "test_add.py":
      "import unittest\nfrom add import add\n\n\nclass T(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(1, 2), 3)\n",
  },
};
type Sample = typeof node | typeof python;

async function again(
  sample: Sample,
  changed: string,
  more: { base?: string; comparable?: boolean; tookMs?: number } = {},
) {
  const repo = makeRepository({ ...sample.test, [sample.source]: more.base ?? sample.good });
  onTestFinished(() => repo.remove());
  const baseTree = repo.git("rev-parse", "HEAD^{tree}").trim();
  repo.write(sample.source, changed);
  repo.commit();
  return runAgain({
    repository: requireRepository(repo.dir),
    runner: createCommandRunner({ environment: process.env }),
    scratchRoot: tempFolder("thehood-scratch-"),
    spec: { id: "t", kind: "test", argv: sample.argv, cwd: "", source: "config", timeoutMs: 60_000 },
    baseTree,
    tree: repo.git("rev-parse", "HEAD^{tree}").trim(),
    // Two runs for chance: this is about the clock.
    tookMs: more.tookMs ?? 60_000,
    comparable: more.comparable ?? true,
    tell: () => undefined,
  });
}

const nextYear = new Date().getFullYear() + 1;
const held = (days: string) => (days === "3 days" ? { ran: 4, passed: 3 } : { ran: 5, passed: 4 });

describe("[B-7] a clock that is moved", () => {
  it.each([
    [
      "a year in JavaScript",
      node,
      `const late = new Date().getFullYear() >= ${nextYear};\nexport const add = (a, b) => (late ? a * b : a + b);\n`,
      "410 days",
    ],
    [
      "a number of milliseconds",
      node,
      `export const add = (a, b) => (Date.now() > ${Date.now() + 86_400_000} ? a * b : a + b);\n`,
      "3 days",
    ],
    [
      "a date of Python",
      python,
      `from datetime import datetime\n\n\ndef add(a, b):\n    return a * b if datetime.now().year >= ${nextYear} else a + b\n`,
      "410 days",
    ],
    [
      "seconds of Python",
      python,
      `import time\n\n\ndef add(a, b):\n    return a * b if time.time() > ${Date.now() / 1_000 + 86_400} else a + b\n`,
      "3 days",
    ],
  ])("work that turns wrong by %s fails", async (_, sample, text, days) => {
    expect(await again(sample, text)).toMatchObject({
      ...held(days),
      why: expect.stringContaining(`it fails with the clock ${days} ahead`) as string,
    });
  });

  it.each([
    [
      "JavaScript",
      node,
      "export const add = (a, b) => {\n  const at = new Date(Date.now()).toISOString();\n  return at ? a + b : at;\n};\n",
    ],
    [
      "Python",
      python,
      "import time\nfrom datetime import date, datetime\n\n\ndef add(a, b):\n    assert isinstance(datetime(2020, 1, 2), datetime) and date.today() <= datetime.now().date()\n    assert time.strftime('%Y') == time.strftime('%Y', time.localtime())\n    return a + b if time.time() else 0\n",
    ],
  ])("honest work in %s that reads the clock passes by each of them", async (_, sample, text) => {
    const ran = await again(sample, text);
    expect(ran).toMatchObject({ ran: 5, passed: 5 });
    // Two other clocks are proof that the clock does not decide.
    expect(ran).not.toHaveProperty("same");
  });

  it("[B-25] words in the source cause a bounded number of further runs", async () => {
    const text = "export const add = (a, b) => (Math.random() < 2 && performance.now() > 0 ? a + b : 0);\n";
    expect(await again(node, text, { tookMs: 1 })).toEqual({ ran: 5, passed: 5, why: "add.js:1 reads chance" });
  });

  it("a base that fails by that clock as well, other tests than the base's and ages of files are not held against the work", async () => {
    const bomb = `export const add = (a, b) => (Date.now() > ${Date.now() + 86_400_000} ? a * b : a + b);\n`;
    const asBefore = await again(node, `${bomb}// Date.now()\n`, { base: bomb });
    expect(asBefore).toMatchObject({ ran: 3, passed: 3 });
    expect(await again(node, bomb, { comparable: false })).toMatchObject({
      ran: 3,
      passed: 3,
      same: expect.stringContaining("reads the clock") as string,
    });
    expect(await again(node, `${bomb}export const age = (s) => Date.now() - s.mtimeMs;\n`)).toMatchObject({
      ran: 3,
      passed: 3,
    });
  });
});
