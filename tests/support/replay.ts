// Samples of projects, changed and replayed as a run does it.
import { execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { onTestFinished } from "vitest";
import { requireRepository } from "../../src/platform/git/index.ts";
import { createCommandRunner } from "../../src/platform/sandbox/index.ts";
import { replayCalls } from "../../src/workspace/replay/index.ts";
import { makeRepository } from "./repository.ts";
import { tempFolder } from "./temp-folder.ts";

// Our own runner sets it too.
const { NODE_ENV: _mode, ...inherited } = process.env;
const environment = { ...inherited, PATH: `${dirname(process.execPath)}:${process.env["PATH"]}` };
const runner = createCommandRunner({ environment });
export const confined = (await runner.confinement()) !== "none";
export const has = (program: string, ...words: string[]): boolean => {
  try {
    execFileSync(program, words, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

export type Files = Readonly<Record<string, string>>;
export interface Sample {
  readonly argv: readonly [string, ...string[]];
  readonly files: Files;
  readonly installed?: true;
}

export const asserts = "import assert from 'node:assert';\nimport test from 'node:test';\n";
export const node: Sample = {
  argv: ["node", "--test"],
  files: {
    "package.json": '{"type":"module"}',
    "src/add.js": "export const add = (a, b) => a + b;\n",
    "test/add.test.js": `${asserts}import { add } from '../src/add.js';\ntest('adds', () => assert.equal(add(1, 2), 3));\ntest('negative', () => assert.equal(add(-1, -2), -3));\n`,
  },
};
export const typed: Sample = {
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
export const unittest: Sample = {
  argv: ["python3", "-m", "unittest"],
  files: {
    "calc/__init__.py": "",
    "calc/add.py": "def add(a, b):\n    return a + b\n",
    "tests/__init__.py": "",
    "tests/test_add.py":
      "import unittest\nfrom calc.add import add\n\n\nclass T(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(add(1, 2), 3)\n\n    def test_negative(self):\n        self.assertEqual(add(-1, b=-2), -3)\n",
  },
};
export const pytest: Sample = {
  argv: ["python3", "-m", "pytest"],
  files: {
    "pytest.ini": "[pytest]\n",
    "calc/__init__.py": "",
    "calc/add.py": "def add(a, b):\n    return a + b\n",
    "tests/test_add.py":
      "from calc.add import add\n\n\ndef test_adds():\n    assert add(1, 2) == 3\n\n\ndef test_negative():\n    assert add(-1, -2) == -3\n",
  },
};

export async function replay({ argv, files, installed }: Sample, changed: Files) {
  const repo = makeRepository(files);
  onTestFinished(() => repo.remove());
  if (installed) symlinkSync(join(import.meta.dirname, "../../node_modules"), join(repo.dir, "node_modules"));
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
